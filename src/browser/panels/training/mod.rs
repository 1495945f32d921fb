//! The training lab: a small model that learns in the window, a few steps in each frame.

mod follow;
mod listeners;
mod masks;
mod model_files;
mod other_run;
mod own_text;
mod work;

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use web_sys::{
    Element, HtmlButtonElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement,
    MediaQueryList, Window,
};

use super::stepper::mark_end;
use crate::browser::activity::{Activity, Pending};
use crate::browser::dom::{self, MissingPart, Property, Root, Text};
use crate::browser::environment::reduced_motion;
use crate::browser::event_listener::Listener;
use crate::browser::main_view::ViewContext;
use crate::browser::map::Surface;
use crate::browser::panels::registry::PanelView;
use crate::browser::sender::Sender;
use crate::browser::timer::Timer;
use crate::browser::view::View;
use app::i18n::{Key, Language, text};
use app::present::small_chart::chart_width;
use app::present::training::about;
use app::present::training_lab::TrainingLab;
use app::scene::colour::Lut;
use app::state::State;
use app::views::training as views;
use follow::TrainingSettings;
use listeners::{Press, listen};
use model_files::ModelFilesView;
use other_run::{OtherRunView, paint};
use own_text::OwnTextView;
use work::Work;

/// The panel.
pub(crate) struct Training {
    inner: Rc<RefCell<Inner>>,
    _listeners: Vec<Listener>,
}

/// Problem to report.
enum Problem {
    /// The text that was typed cannot be read.
    Text,
    /// Numbers left their range; the error text.
    Numbers(String),
}

struct Inner {
    window: Window,
    activity: Activity,
    still: Option<MediaQueryList>,
    back: Weak<RefCell<Self>>,
    variant: HtmlSelectElement,
    other: OtherRunView,
    own_text: OwnTextView,
    model_files: ModelFilesView,
    speed: HtmlSelectElement,
    pace: Element,
    typed: HtmlTextAreaElement,
    slider: HtmlInputElement,
    fill: Property,
    body: Element,
    chart_room: Element,
    ends: [Element; 2],
    play: HtmlButtonElement,
    play_name: Text,
    at: Text,
    progress: Text,
    see: Text,
    problem_text: Text,
    problem: Option<Problem>,
    done: Text,
    map_name: Text,
    answer_name: Text,
    needed: Text,
    masked: Text,
    unmask: HtmlButtonElement,
    charts: View,
    track: View,
    wall: View,
    map: View,
    answer: View,
    surfaces: Vec<Surface>,
    sender: Sender,
    /// The training and step last requested, and those to go to.
    asked: TrainingSettings,
    wanted: TrainingSettings,
    banner: Element,
    lab: Option<TrainingLab>,
    lut: Option<Lut>,
    language: Language,
    work: Option<(Work, Timer, Pending)>,
    has_begun: bool,
}

impl Training {
    pub(crate) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let window = root.document().and_then(|document| document.default_view());
        let window = window.ok_or_else(|| MissingPart::new("window"))?;
        let play: HtmlButtonElement = root.find("#training-play")?;
        let slider: HtmlInputElement = root.find("#training-step")?;
        let inner = Inner {
            still: reduced_motion(&window),
            window,
            activity: root.activity().clone(),
            back: Weak::new(),
            variant: root.find("#training-variant")?,
            other: OtherRunView::find(root)?,
            own_text: OwnTextView::find(root)?,
            model_files: ModelFilesView::find(root)?,
            speed: root.find("#training-speed")?,
            pace: root.find("#training-pace")?,
            typed: root.find("#training-text")?,
            fill: Property::new(slider.clone(), "--fill"),
            slider,
            body: root.find("#training-lab")?,
            chart_room: root.find("#training-charts")?,
            ends: [
                root.find("#training-previous")?,
                root.find("#training-next")?,
            ],
            play_name: Text::new(play.clone()),
            play,
            at: Text::find(root, "#training-at")?,
            progress: Text::find(root, "#training-progress")?,
            see: Text::find(root, "#training-see")?,
            problem_text: Text::find(root, "#training-problem")?,
            problem: None,
            done: Text::find(root, "#training-done")?,
            map_name: Text::find(root, "#training-map-name")?,
            answer_name: Text::find(root, "#training-answer-name")?,
            needed: Text::find(root, "#training-needed")?,
            masked: Text::find(root, "#training-masked")?,
            unmask: root.find("#training-unmask")?,
            charts: View::find(root, "#training-charts")?,
            track: View::find(root, "#training-track")?,
            wall: View::find(root, "#training-wall")?,
            map: View::find(root, "#training-map")?,
            answer: View::find(root, "#training-answer")?,
            surfaces: Vec::new(),
            sender: sender.clone(),
            asked: TrainingSettings::new(&State::default()),
            wanted: TrainingSettings::new(&State::default()),
            banner: root.find("#imported")?,
            lab: None,
            lut: None,
            language: Language::En,
            work: None,
            has_begun: false,
        };
        let inner = Rc::new(RefCell::new(inner));
        let back = Rc::downgrade(&inner);
        inner.borrow_mut().back = Weak::clone(&back);
        let listeners = listen(root, &inner.borrow(), &back)?;
        Ok(Self {
            inner,
            _listeners: listeners,
        })
    }
}

/// A way back to the panel for its own listeners.
type Back = Weak<RefCell<Inner>>;

fn with(back: &Back, act: impl FnOnce(&mut Inner)) {
    if let Some(inner) = back.upgrade()
        // What happens while it draws is of its own making.
        && let Ok(mut inner) = inner.try_borrow_mut()
    {
        act(&mut inner);
    }
}

impl PanelView for Training {
    fn update(&mut self, context: &ViewContext<'_>) {
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            let asked = TrainingSettings::new(context.state);
            let is_same = inner.language == context.language
                && inner.lut.as_ref() == Some(&context.colours.lut);
            if is_same && inner.has_begun && inner.asked == asked {
                // What a panel was at when it was closed.
                return inner.name_heads();
            }
            inner.language = context.language;
            inner.lut = Some(context.colours.lut.clone());
            inner.wanted = asked;
            inner.open();
        }
    }

    fn close(&mut self) {
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            inner.work = None;
        }
    }
}

impl Inner {
    /// Shows the training that there is, or makes one.
    fn open(&mut self) {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.asked = TrainingSettings {
                step: 0,
                ..self.wanted.clone()
            };
            self.begin();
        }
        self.follow();
    }

    fn press(&mut self, press: Press) {
        if let Press::Work(work) = press {
            if self.working() == Some(work) {
                self.rest();
            } else {
                self.start(work);
            }
            return self.draw();
        }
        let Some(lab) = &mut self.lab else { return };
        match press {
            Press::Previous => {
                self.work = None;
                lab.look_at(lab.step().saturating_sub(1));
            }
            Press::Next => {
                self.work = None;
                let next = lab.step() + 1;
                if next > lab.run().history().len() {
                    self.take_step();
                }
                self.look_at(next);
            }
            Press::Another => {
                let text = lab.another();
                self.typed.set_value(&text);
                self.read_typed();
            }
            Press::Unmask => {
                lab.show_all_cells();
                return self.draw();
            }
            Press::OnMap => return self.show_on_map(),
            Press::Save(which, what) => return self.save_model(which, what),
            Press::Work(_) | Press::Reset => self.begin(),
        }
        self.come_to_rest();
        self.draw();
    }

    fn slide(&mut self) {
        self.work = None;
        let step = self.slider.value().parse().unwrap_or(0);
        self.look_at(step);
        self.draw();
    }

    fn look_at(&mut self, step: usize) {
        if let Some(lab) = &mut self.lab {
            lab.look_at(step);
        }
    }

    /// Reads the text while it is typed, where the model knows all its words.
    fn read_known(&mut self) {
        let Some(lab) = &mut self.lab else { return };
        if lab.read(&self.typed.value()).is_ok() {
            self.problem = None;
            self.draw();
        }
    }

    /// Reads the text; the previous one stays if the model does not know a word.
    fn read_typed(&mut self) {
        let Some(lab) = &mut self.lab else { return };
        let is_read = lab.read(&self.typed.value()).is_ok();
        self.problem = (!is_read).then_some(Problem::Text);
        self.come_to_rest();
        self.draw();
    }

    fn choose(&mut self, choose: fn(&mut TrainingLab, usize), at: usize) {
        if let Some(lab) = &mut self.lab {
            choose(lab, at);
        }
        self.draw();
    }

    /// Shows the parts that are cheap to update.
    fn show_progress(&mut self) {
        let Some(lab) = &self.lab else { return };
        let (done, steps) = (lab.run().history().len(), lab.run().recipe().steps);
        self.at
            .set_text(&text::player_at(self.language, &lab.step(), &steps));
        self.slider.set_max(&done.to_string());
        self.slider.set_value(&lab.step().to_string());
        let share = 100.0 * lab.step() as f64 / done.max(1) as f64;
        self.fill.set(&format!("{share:.1}%"));
    }

    fn draw(&mut self) {
        self.show_progress();
        self.own_text.draw(&self.asked, self.language);
        // Shown before it is measured.
        dom::set_flag(&self.body, "hidden", self.lab.is_none());
        if let Some(lab) = &mut self.lab {
            lab.temperature = f64::from(self.asked.temperature) / 100.0;
        }
        let (Some(lab), Some(lut)) = (&self.lab, &self.lut) else {
            return;
        };
        let (language, room) = (self.language, f64::from(self.chart_room.client_width()));
        let working = self.working();
        let view = lab.view(lut, chart_width(room), language);
        let word = view
            .words()
            .get(lab.row)
            .copied()
            .unwrap_or_default()
            .to_owned();
        self.progress.set_text(&view.progress());
        self.see
            .set_text(about(lab.run().recipe().task).text(language));
        self.map_name.set_text(&view.head_name(lab.head));
        self.answer_name
            .set_text(&text::training_answer(language, &word));
        self.needed.set_text(&view.needed());
        self.masked.set_text(&view.masked());
        mark_end(&self.unmask, lab.masks().total() == 0);
        self.done.set_text(&lab.conclusion(language));
        self.problem_text.set_text(&match &self.problem {
            None => String::new(),
            Some(Problem::Text) => lab.known_words(language),
            Some(Problem::Numbers(said)) => said.clone(),
        });
        self.track.update(views::track(&view));
        self.charts.update(views::charts(&view));
        self.wall.update(views::wall(&view));
        self.map.update(views::map(&view));
        self.answer.update(views::answer(&view));
        self.own_text.draw_continuation(&view, working);
        paint(&mut self.surfaces, &self.wall, &view, view.reading);
        self.other.draw(&view);
        self.show_buttons();
        self.name_heads();
    }

    fn show_buttons(&mut self) {
        let Some(lab) = &self.lab else { return };
        let is_still = self.still.as_ref().is_some_and(MediaQueryList::matches);
        let working = self.working();
        dom::set_flag(&self.play, "hidden", is_still);
        dom::set_flag(&self.pace, "hidden", is_still);
        // It has three names, so no change of language may bring the first one back.
        dom::set_flag(&self.play, "data-t", false);
        let name = match working {
            Some(Work::Playing) => Key::PlayerPause,
            _ if lab.run().is_done() => Key::TrainingAgain,
            _ => Key::TrainingPlay,
        };
        self.play_name.set_text(name.text(self.language));
        mark_end(&self.ends[0], lab.step() == 0);
        mark_end(&self.ends[1], lab.step() >= lab.run().recipe().steps);
    }
}
