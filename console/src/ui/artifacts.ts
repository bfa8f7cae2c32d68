/** The circuit's files, as the service that sent this page publishes them (SPEC, Circuit). */
const CIRCUIT = '/zk/identity_proof-1.2/identity_proof';

async function read(path: string): Promise<Uint8Array> {
  const reply = await fetch(path).catch((cause: unknown) => {
    throw new Error('The service did not answer. Check your connection, and try again.', { cause });
  });
  if (!reply.ok)
    throw new Error(`The service did not send ${path} (status ${reply.status}). Load the page again.`);
  return new Uint8Array(await reply.arrayBuffer());
}

/** Witness generator, proving key and verification key, some 600 KB; browsers keep them. */
export async function fetchArtifacts(): Promise<{ wasm: Uint8Array; zkey: Uint8Array; vkey: Uint8Array }> {
  const [wasm, zkey, vkey] = await Promise.all(
    ['.wasm', '.zkey', '.vkey.json'].map((end) => read(CIRCUIT + end)),
  );
  return { wasm: wasm as Uint8Array, zkey: zkey as Uint8Array, vkey: vkey as Uint8Array };
}
