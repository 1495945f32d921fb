// The compute worker: takes over the module that the page has compiled, then hands every message to it.
// The first message is { glue, module }; what follows waits until the module runs.

let engine;

onmessage = ({ data }) => {
  if (!engine) {
    engine = import(data.glue).then((glue) => {
      glue.initSync({ module: data.module });
      return glue;
    });
    // The engine itself says that it is ready.
    engine.catch((error) => postMessage({ failed: String(error) }));
  } else {
    engine.then((glue) => glue.receive(data)).catch((error) => postMessage({ died: String(error) }));
  }
};
