/** The circuit's files that this build belongs to, as the service serves them; the build fills this in. */
declare const CIRCUIT_FILES: { readonly wasm: string; readonly zkey: string };

/** Their bytes, from the service worker's cache where it has them. */
export async function loadArtifacts(): Promise<{ wasm: Uint8Array; zkey: Uint8Array }> {
  const [wasm, zkey] = await Promise.all([load(CIRCUIT_FILES.wasm), load(CIRCUIT_FILES.zkey)]);
  return { wasm, zkey };
}

/** An address ends in the first 16 digits of its file's SHA-256. */
async function load(path: string): Promise<Uint8Array> {
  const reply = await fetch(path).catch(() => undefined);
  if (!reply?.ok)
    throw new Error('What a proof is made with could not be fetched. Go online once, then try again.');
  const bytes = new Uint8Array(await reply.arrayBuffer());
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const hex = [...digest.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  if (new URLSearchParams(path.split('?')[1]).get('v') === hex) return bytes;
  throw new Error('The service has other proving files than this page. Reload the page, then try again.');
}
