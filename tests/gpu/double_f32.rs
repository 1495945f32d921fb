//! Numbers of twice the precision (`crates/gpu/shaders/double.wgsl`), one sum and one product at a time.

use crate::common::cases::Numbers;
use crate::common::gpu::is_there;
use gpu::{Kernel, Tier};
use pollster::block_on;

/// The numbers of [`doubled`] in a shader's memory: `a`, `b`, then high and low parts of sum and product.
const TENSORS: usize = 6;
const VECTORS: usize = 1 << 14;

/// Sums and products of 65,536 pairs in twice the precision, on the adapter of the other tests.
async fn doubled(a: &[f32], b: &[f32]) -> Vec<Vec<f32>> {
    let sources = Kernel::WideProduct.shader(Tier::Software).sources;
    let double = ["fn kept", "fn exact_sum"].map(|name| {
        let source = sources.iter().find(|source| source.contains(name));
        *source.expect(name)
    });
    let entry = "
        struct Zero { zero: u32 }
        @group(0) @binding(0) var<uniform> p: Zero;
        @group(0) @binding(1) var<storage, read_write> numbers: array<array<vec4<f32>, 16384>, 6>;
        @compute @workgroup_size(64) fn both(@builtin(global_invocation_id) id: vec3<u32>) {
          _ = p.zero; // bound also where nothing else names it
          let sum = exact_sum(numbers[0][id.x], numbers[1][id.x]);
          let product = exact_product(numbers[0][id.x], numbers[1][id.x]);
          numbers[2][id.x] = sum.high;
          numbers[3][id.x] = sum.low;
          numbers[4][id.x] = product.high;
          numbers[5][id.x] = product.low;
        }";
    let source = double.concat() + entry;
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = instance.request_adapter(&Default::default()).await;
    let adapter = adapter.expect("there is a GPU");
    let (device, queue) = adapter
        .request_device(&Default::default())
        .await
        .expect("opened");
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(source.into()),
        }),
        entry_point: None,
        compilation_options: Default::default(),
        cache: None,
    });
    let buffer = |size: usize, usage| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: size as u64,
            usage,
            mapped_at_creation: false,
        })
    };
    let tensor = 16 * VECTORS;
    let usages =
        wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    let zero = buffer(16, wgpu::BufferUsages::UNIFORM);
    let numbers = buffer(TENSORS * tensor, usages);
    let results = buffer(
        TENSORS * tensor,
        wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
    );
    let bytes: Vec<u8> = a.iter().chain(b).flat_map(|x| x.to_le_bytes()).collect();
    queue.write_buffer(&numbers, 0, &bytes);
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[(0, &zero), (1, &numbers)].map(|(binding, buffer)| wgpu::BindGroupEntry {
            binding,
            resource: buffer.as_entire_binding(),
        }),
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(VECTORS as u32 / 64, 1, 1);
    }
    encoder.copy_buffer_to_buffer(&numbers, 0, &results, 0, results.size());
    queue.submit([encoder.finish()]);
    results.map_async(wgpu::MapMode::Read, .., |mapped| mapped.expect("mapped"));
    device
        .poll(wgpu::PollType::wait_indefinitely())
        .expect("done");
    let bytes = results.get_mapped_range(..).expect("mapped");
    let all = bytes.chunks_exact(4).map(|four| {
        let four = four.try_into().expect("four bytes");
        f32::from_le_bytes(four)
    });
    let all: Vec<f32> = all.collect();
    all.chunks_exact(4 * VECTORS).map(<[f32]>::to_vec).collect()
}

/// A compiler that reorders them makes most of them wrong: `kept` hides the terms from it.
#[test]
fn sums_and_products_in_twice_the_precision_are_exact() {
    if !is_there() {
        return;
    }
    // Every pair of magnitudes within 2^±12, whose sums and products 64 bits hold exactly.
    let mut numbers = Numbers::new(21);
    let mut side = || {
        let all = (0..4 * VECTORS).map(|at| numbers.next() * 2f32.powi(at as i32 % 25 - 12));
        all.collect::<Vec<f32>>()
    };
    let (a, b) = (side(), side());
    let found = block_on(doubled(&a, &b));
    let wrong = |exact: fn(f64, f64) -> f64, high: usize| {
        let pairs = a.iter().zip(&b).enumerate();
        pairs
            .filter(|(at, (a, b))| {
                let found = f64::from(found[high][*at]) + f64::from(found[high + 1][*at]);
                found != exact(f64::from(**a), f64::from(**b))
            })
            .count()
    };
    let [sums, products] = [wrong(|a, b| a + b, 2), wrong(|a, b| a * b, 4)];
    assert_eq!((sums, products), (0, 0), "of {} each", a.len());
}
