// Messages of the page around a frame. What is none of ours, or is more than may wait, never enters WebAssembly: to hear of a hundred thousand
// there takes seconds. The build puts this at the end of `engine.js`.

/**
 * Tells `hear(data, origin)` of each message that the parent window posts and whose `source` is `own`: nobody else is listened to, neither frames
 * beside this one nor who has opened it. After `hold(true)` the newest `most` wait, until `take` gives them all and how many were dropped.
 */
function listenToParent(own, most, hear) {
  let [waiting, count, isHeld] = [[], 0, false];
  const listener = (event) => {
    if (event.source !== parent) return;
    const { data, origin } = event;
    // Other scripts of a host talk to their frames too.
    if (data?.source !== own) return;
    if (isHeld) waiting[count++ % most] = { data, origin };
    else hear(data, origin);
  };
  addEventListener('message', listener);
  return {
    hold: (on) => { isHeld = on; },
    take: () => {
      const dropped = Math.max(0, count - most);
      const first = dropped % most;
      const messages = [...waiting.slice(first), ...waiting.slice(0, first)];
      [waiting, count] = [[], 0];
      return { messages, dropped };
    },
    stop: () => removeEventListener('message', listener),
  };
}
