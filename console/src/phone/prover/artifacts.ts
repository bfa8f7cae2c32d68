/** The circuit's files that this build belongs to, as the service serves them; the build fills this in. */
declare const CIRCUIT_FILES: { readonly wasm: string; readonly zkey: string };

/** Their bytes, from the service worker's cache where it has them. `createProver` refuses any but the pinned ones. */
export async function loadArtifacts(): Promise<{ wasm: Uint8Array; zkey: Uint8Array }> {
  const [wasm, zkey] = await Promise.all([load(CIRCUIT_FILES.wasm), load(CIRCUIT_FILES.zkey)]);
  return { wasm, zkey };
}

async function load(path: string): Promise<Uint8Array> {
  const reply = await fetch(path).catch(() => undefined);
  if (!reply?.ok)
    throw new Error('What a proof is made with could not be fetched. Go online once, then try again.');
  return new Uint8Array(await reply.arrayBuffer());
}
