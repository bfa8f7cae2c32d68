// Loaded into the nodes by bench/streams.mjs (node --expose-gc --import): on a message it frees what nobody holds, and
// answers the memory.
process.on('message', () => {
  globalThis.gc();
  process.send?.(process.memoryUsage());
});
process.channel?.unref();
