/** The paths of the circuit files for this build. The build defines this constant. */
declare const CIRCUIT_FILES: { readonly wasm: string; readonly zkey: string };

/** Loads the files, from the service worker's cache if possible. `createProver` rejects all but the pinned ones. */
export async function loadArtifacts(): Promise<{ wasm: Uint8Array; zkey: Uint8Array }> {
  const [wasm, zkey] = await Promise.all([load(CIRCUIT_FILES.wasm), load(CIRCUIT_FILES.zkey)]);
  return { wasm, zkey };
}

async function load(path: string): Promise<Uint8Array> {
  const reply = await fetch(path).catch(() => undefined);
  if (!reply?.ok)
    throw new Error('The files for creating a proof could not be loaded. Go online and try again.');
  return new Uint8Array(await reply.arrayBuffer());
}
