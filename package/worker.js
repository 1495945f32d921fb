// The compute worker: takes over the module that the page has compiled, then hands every message to it. It imports the engine by
// itself, so that bundlers find it.
import { initSync, receive } from './engine.js';

let isRunning = false;

onmessage = ({ data }) => {
  try {
    if (isRunning) return receive(data);
    initSync({ module: data.module });
    isRunning = true;
    postMessage({ ready: true });
  } catch (error) {
    postMessage({ [isRunning ? 'died' : 'failed']: String(error) });
  }
};
