/** The circuit's files that this build belongs to, as the service publishes them; the build fills this in. */
declare const CIRCUIT_FILES: Readonly<Record<'wasm' | 'zkey' | 'vkey', string>>;

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
  const [wasm, zkey, vkey] = await Promise.all([
    read(CIRCUIT_FILES.wasm),
    read(CIRCUIT_FILES.zkey),
    read(CIRCUIT_FILES.vkey),
  ]);
  return { wasm, zkey, vkey };
}
