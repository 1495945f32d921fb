//! Programs of the training lab's models as texts. What they find is tried in `tests/python/`.

use app::export::codegen::{Program, model};
use app::i18n::Language;
use app::present::model_export::{ExportedRun, ModelExport};
use app::present::training_lab::TrainingLab;
use engine::training_run::RECIPES;
use engine::variant::Variant;

fn lab(task: &str, variant: Option<Variant>) -> TrainingLab {
    let recipe = RECIPES.into_iter().find(|recipe| recipe.task == task);
    let lab = TrainingLab::new(recipe.expect("a recipe"), 1, variant);
    let mut lab = lab.expect("a task");
    lab.learn().expect("finite");
    lab.look_at_newest();
    lab
}

fn export(lab: &TrainingLab, which: ExportedRun) -> ModelExport {
    let export = lab.export(which).expect("finite");
    export.expect("it is there")
}

fn code(program: &Program) -> Vec<String> {
    let text = program.text();
    let code = text.lines().map(|line| {
        let code = line.split('#').next().unwrap_or_default();
        code.trim_end().to_owned()
    });
    code.collect()
}

#[test]
fn names_say_task_seed_step_and_practice() {
    let lab = lab("reverse", Some(Variant::NoNorm));
    let own = export(&lab, ExportedRun::Own);
    assert_eq!(
        [own.name(), own.training_name()],
        ["reverse-1-1", "reverse-1-train"]
    );
    let other = export(&lab, ExportedRun::Other);
    assert_eq!(other.name(), "reverse-1-1-no-norm");
    assert_eq!(other.training_name(), "reverse-1-train-no-norm");
    let alone = self::lab("sort", None).export(ExportedRun::Other);
    assert!(alone.expect("finite").is_none());
}

#[test]
fn only_remarks_are_in_the_language_of_the_page() {
    let lab = lab("pronoun", Some(Variant::WarmUp));
    for which in [ExportedRun::Own, ExportedRun::Other] {
        let export = export(&lab, which);
        for write in [model::opening, model::training] {
            let [en, zh] = [Language::En, Language::Zh].map(|language| write(&export, language));
            assert_eq!(code(&en), code(&zh));
            assert_ne!(en.text(), zh.text());
        }
    }
}

#[test]
fn the_file_of_the_first_numbers_is_the_same_whatever_the_step() {
    let first = TrainingLab::new(RECIPES[0], 1, None).expect("a task");
    let later = lab("pronoun", None);
    let [first, later] = [&first, &later].map(|lab| export(lab, ExportedRun::Own));
    assert_eq!(first.file(), later.first_file());
    assert_ne!(later.file(), later.first_file());
    assert_eq!((first.losses.len(), later.losses.len()), (0, 1));
}

#[test]
fn a_config_says_what_is_not_as_usual() {
    let lab = lab("repeat", Some(Variant::NormAfter));
    let of = |which| model::javascript(export(&lab, which).model.config());
    let usual = "\"vocabulary\": 24, \"length\": 24, \"d_model\": 32, \"layers\": 2, \"heads\": 4, \"mask\": \"causal\", \"norm\": \"layer\"";
    assert_eq!(of(ExportedRun::Own), format!("{{ {usual} }}"));
    assert_eq!(
        of(ExportedRun::Other),
        format!("{{ {usual}, \"norm_place\": \"after\" }}")
    );
}
