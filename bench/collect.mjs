// Loaded into the nodes by bench/streams.mjs (node --expose-gc --import). On a message it collects garbage and replies with the
// memory in use.
process.on('message', () => {
  globalThis.gc();
  process.send?.(process.memoryUsage());
});
process.channel?.unref();
