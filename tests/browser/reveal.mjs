// Menus and settings that fold, for tests and for what works the page without them.

/** Brings a control into sight: opens the menus and the settings that it is folded into, by their buttons. Gives it back. */
export async function reveal(control) {
  const ways = await control.evaluate((own) => {
    const found = [];
    const folds = [
      // The last is opened first: what it folds holds the others.
      [(menu) => `[popovertarget="${menu.id}"]`, '[popover]:not(:popover-open)'],
      [(details) => `#${details.id} > summary`, 'details[id]:not([open])'],
      [() => '#all-settings', '.setup:not([data-all]) .extra'],
    ];
    if (own.closest('[data-layout="embed"]')) return found;
    // A summary is in sight while its own details are closed.
    const inside = own.closest('summary')?.parentElement.parentElement ?? own;
    for (const [way, fold] of folds) for (let at = inside.closest(fold); at; at = at.parentElement?.closest(fold)) found.unshift(way(at));
    return found;
  });
  for (const way of ways) await control.page().locator(way).first().click();
  return control;
}
