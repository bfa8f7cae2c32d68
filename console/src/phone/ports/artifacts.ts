/** The paths of the circuit files for this build. The build defines this constant. */
declare const CIRCUIT_FILES: { readonly wasm: string; readonly zkey: string };

/** A file could not be loaded. */
export class NoProvingFiles extends Error {}

/** Loads the files, from the service worker's cache if possible. `createProver` rejects all but the pinned ones. */
export async function loadArtifacts(): Promise<{ wasm: Uint8Array; zkey: Uint8Array }> {
  const [wasm, zkey] = await Promise.all([load(CIRCUIT_FILES.wasm), load(CIRCUIT_FILES.zkey)]);
  return { wasm, zkey };
}

async function load(path: string): Promise<Uint8Array> {
  const reply = await fetch(path).catch(() => undefined);
  if (!reply?.ok) throw new NoProvingFiles();
  return new Uint8Array(await reply.arrayBuffer());
}
