//! The shaders as text: each is valid WGSL, sees its uniform as Rust lays it out, and is bound and sized as Rust says.

use std::collections::BTreeSet;
use std::fs;

use gpu::uniforms::layouts;
use gpu::{Access, Kernel, Shader, Tier};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{AddressSpace, Expression, Literal, Module, StorageAccess, TypeInner};

/// How many numbers, vectors or rows each invocation makes, `[columns, rows]`; `None` where a workgroup makes one row.
fn made_by_each(kernel: Kernel, tier: Tier) -> Option<[u32; 2]> {
    match (kernel, tier) {
        (Kernel::Product | Kernel::ProductTransposed, Tier::Software) => Some([16, 16]),
        (Kernel::Product | Kernel::ProductTransposed, Tier::Hardware) => Some([8, 8]),
        (Kernel::SmallProduct | Kernel::SmallProductTransposed, _) => Some([4, 4]),
        (
            Kernel::Additive
            | Kernel::Bias
            | Kernel::AddBias
            | Kernel::WideProduct
            | Kernel::WideProductTransposed
            | Kernel::WideAdditive,
            _,
        ) => Some([4, 1]),
        (Kernel::FusedAttention, _) => Some([8, 4]),
        (Kernel::Softmax | Kernel::Measure, Tier::Hardware) => None,
        (
            Kernel::NormRows
            | Kernel::NormRowsBack
            | Kernel::SumRows
            | Kernel::SoftmaxBack
            | Kernel::CrossEntropy,
            _,
        ) => None,
        (Kernel::SquareSums, _) => Some([16, 1]),
        _ => Some([1, 1]),
    }
}

/// Limit that every WebGPU device supports.
const MOST_INVOCATIONS: u32 = 256;
const MOST_STORAGE_BUFFERS: usize = 8;
const MOST_WORKGROUP_BYTES: u32 = 16_384;

/// A source without comments and indentation, which say nothing to a compiler and are not shipped.
fn code(source: &str) -> String {
    let lines = source.lines();
    let lines = lines.map(|line| line.split("//").next().unwrap_or_default().trim());
    lines.collect::<Vec<_>>().concat()
}

struct Read {
    kernel: Kernel,
    tier: Tier,
    shader: Shader,
    source: String,
    module: Module,
}

/// Every shader, parsed and validated.
fn shaders() -> Vec<Read> {
    let tiers = [Tier::Software, Tier::Hardware];
    let all = Kernel::ALL
        .into_iter()
        .flat_map(|kernel| tiers.map(|tier| (kernel, tier)));
    all.map(|(kernel, tier)| read(kernel, tier)).collect()
}

fn read(kernel: Kernel, tier: Tier) -> Read {
    let shader = kernel.shader(tier);
    let source = shader.sources.concat();
    let module = naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|error| panic!("{kernel:?}: {}", error.emit_to_string(&source)));
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{kernel:?}: {}", error.emit_to_string(&source)));
    Read {
        kernel,
        tier,
        shader,
        source,
        module,
    }
}

#[test]
fn every_shader_is_valid_and_every_file_belongs_to_one() {
    let used: BTreeSet<_> = shaders()
        .iter()
        .flat_map(|read| read.shader.sources.iter().map(|source| code(source)))
        .collect();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/gpu/shaders");
    let files = fs::read_dir(folder).expect("the folder is there");
    for path in files.map(|file| file.expect("a file").path()) {
        let text = fs::read_to_string(&path).expect("a text");
        let is_used = used.iter().any(|source| source.contains(&code(&text)));
        assert!(is_used, "{path:?} is used by no kernel");
    }
}

#[test]
fn uniforms_are_laid_out_alike_on_both_sides() {
    let layouts = layouts();
    for Read {
        kernel,
        shader,
        module,
        ..
    } in shaders()
    {
        let (_, uniform) = globals(&module)
            .into_iter()
            .find(|(binding, _)| *binding == 0)
            .expect("a uniform");
        assert_eq!(uniform.space, AddressSpace::Uniform, "{kernel:?}");
        let found = &module.types[uniform.ty];
        assert_eq!(found.name.as_deref(), Some(shader.uniform), "{kernel:?}");
        let TypeInner::Struct { members, span } = &found.inner else {
            panic!("{kernel:?}: the uniform is no struct");
        };
        let layout = layouts.iter().find(|layout| layout.name == shader.uniform);
        let layout = layout.unwrap_or_else(|| panic!("Rust has no {}", shader.uniform));
        let fields: Vec<_> = members
            .iter()
            .map(|member| {
                (
                    member.name.as_deref().expect("a name"),
                    member.offset as usize,
                )
            })
            .collect();
        assert_eq!(fields, layout.fields, "{kernel:?}");
        assert_eq!(*span as usize, layout.size, "{kernel:?}");
    }
}

/// Bindings of group 0 in order. There is no other group.
fn globals(module: &Module) -> Vec<(u32, &naga::GlobalVariable)> {
    let mut bound: Vec<_> = module
        .global_variables
        .iter()
        .filter_map(|(_, variable)| variable.binding.map(|binding| (binding, variable)))
        .map(|(binding, variable)| {
            assert_eq!(binding.group, 0);
            (binding.binding, variable)
        })
        .collect();
    bound.sort_by_key(|(binding, _)| *binding);
    bound
}

#[test]
fn bindings_are_those_that_rust_makes() {
    for Read {
        kernel,
        shader,
        module,
        ..
    } in shaders()
    {
        let found: Vec<_> = globals(&module)
            .into_iter()
            .skip(1)
            .map(|(binding, variable)| (binding, access(variable.space)))
            .collect();
        let wanted: Vec<_> = (1..).zip(shader.bindings.iter().copied()).collect();
        assert_eq!(found, wanted, "{kernel:?}");
        assert!(found.len() <= MOST_STORAGE_BUFFERS, "{kernel:?}");
    }
}

fn access(space: AddressSpace) -> Access {
    match space {
        AddressSpace::Storage { access } if access.contains(StorageAccess::STORE) => Access::Write,
        AddressSpace::Storage { .. } => Access::Read,
        other => panic!("a binding in {other:?}"),
    }
}

#[test]
fn workgroups_make_as_many_numbers_as_rust_counts_on() {
    for Read {
        kernel,
        tier,
        shader,
        module,
        ..
    } in shaders()
    {
        let entry = module
            .entry_points
            .iter()
            .find(|entry| entry.name == shader.entry);
        let entry = entry.unwrap_or_else(|| panic!("{kernel:?} has no {}", shader.entry));
        let [x, y, z] = entry.workgroup_size;
        assert!(x * y * z <= MOST_INVOCATIONS && z == 1, "{kernel:?}");
        let made = made_by_each(kernel, tier);
        let block = made.map_or([1, 1], |[across, down]| [x * across, y * down]);
        assert_eq!(shader.block, block, "{kernel:?} {tier:?}");
    }
}

#[test]
fn memory_of_workgroups_is_what_every_device_has() {
    for Read { kernel, module, .. } in shaders() {
        let shared = module
            .global_variables
            .iter()
            .filter(|(_, variable)| variable.space == AddressSpace::WorkGroup);
        let bytes: u32 = shared
            .map(|(_, variable)| module.types[variable.ty].inner.size(module.to_ctx()))
            .sum();
        assert!(
            bytes <= MOST_WORKGROUP_BYTES,
            "{kernel:?} wants {bytes} bytes"
        );
    }
}

/// WGSL may assume that there are none, so a kernel that makes or asks for one means nothing.
#[test]
fn nothing_rests_on_infinity() {
    for Read {
        kernel,
        source,
        module,
        ..
    } in shaders()
    {
        let code = code(&source);
        for word in ["isInf", "isNan", "inf(", "0x7f80", "0xff80", "0x7fc0"] {
            assert!(!code.contains(word), "{kernel:?} says {word}");
        }
        let functions = module.functions.iter().map(|(_, function)| function);
        let entries = module.entry_points.iter().map(|entry| &entry.function);
        let expressions = functions
            .chain(entries)
            .flat_map(|function| function.expressions.iter());
        for (_, expression) in expressions.chain(module.global_expressions.iter()) {
            assert!(
                !matches!(expression, Expression::Relational { .. } if is_test(expression)),
                "{kernel:?}"
            );
            if let Expression::Literal(Literal::F32(number)) = expression {
                assert!(number.is_finite(), "{kernel:?}");
            }
        }
    }
}

fn is_test(expression: &Expression) -> bool {
    use naga::RelationalFunction::{IsInf, IsNan};
    matches!(
        expression,
        Expression::Relational {
            fun: IsInf | IsNan,
            ..
        }
    )
}
