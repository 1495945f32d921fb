//! The table of all heads, sortable by any column.

wasm_chunks::chunk!("engine": impl Inner);

use std::cell::RefCell;
use std::rc::Rc;

use web_sys::HtmlElement;

use crate::browser::dom::{MissingPart, Root};
use crate::browser::event_listener::Listener;
use crate::browser::language;
use crate::browser::view::View;
use app::i18n::Language;
use app::present::head_table::{Column, HeadTable as Model, SortOrder};
use app::present::run::Run;
use app::views::head_table::head_table;

/// The table. It handles sorting itself, so it keeps its last data.
pub(super) struct HeadTable {
    inner: Rc<RefCell<Inner>>,
    _listeners: Vec<Listener>,
}

struct Inner {
    table: View,
    sort: SortOrder,
    shown: Option<Model>,
    defined: HtmlElement,
    definition: HtmlElement,
    language: Language,
}

impl HeadTable {
    /// `choose` is called with the head whose line is pressed.
    pub(super) fn new(root: &Root, choose: impl Fn(usize) + 'static) -> Result<Self, MissingPart> {
        let inner = Rc::new(RefCell::new(Inner {
            table: View::find(root, "#analysis-heads")?,
            sort: SortOrder::default(),
            shown: None,
            defined: root.find("#analysis-defined")?,
            definition: root.find("#analysis-definition")?,
            language: Language::default(),
        }));
        let on_column = |event, act: fn(&mut Inner, Column)| {
            let inner = Rc::clone(&inner);
            move |view: &View| {
                view.on(event, "data-column", move |at: usize| {
                    if let (Some(column), Ok(mut inner)) =
                        (Column::ALL.get(at), inner.try_borrow_mut())
                    {
                        act(&mut inner, *column);
                    }
                })
            }
        };
        let table = &inner.borrow().table;
        let listeners = vec![
            table.on("click", "data-head", choose),
            on_column("click", Inner::sort)(table),
            on_column("focusin", Inner::define)(table),
            on_column("pointerover", Inner::define)(table),
        ];
        Ok(Self {
            inner: Rc::clone(&inner),
            _listeners: listeners,
        })
    }

    pub(super) fn update(&mut self, run: &Run, chosen: usize, language: Language) {
        let Ok(mut inner) = self.inner.try_borrow_mut() else {
            return;
        };
        inner.language = language;
        inner.sort = inner.sort.among(run.places());
        inner.shown = Some(Model::new(run, chosen, inner.sort, language));
        inner.write();
    }
}

impl Inner {
    fn sort(&mut self, column: Column) {
        self.sort = self.sort.pressed(column);
        if let Some(shown) = &mut self.shown {
            shown.sort(self.sort);
        }
        self.define(column);
        self.write();
    }

    /// Says what a column means.
    fn define(&mut self, column: Column) {
        language::bind(&self.defined, column.title(), self.language);
        language::bind(&self.definition, column.meaning(), self.language);
    }

    fn write(&mut self) {
        if let Some(shown) = &self.shown {
            self.table.update(head_table(shown));
        }
    }
}
