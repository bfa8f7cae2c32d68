/** The paths of the circuit files for this build. The build defines this constant. */
declare const CIRCUIT_FILES: Readonly<Record<'wasm' | 'zkey' | 'vkey', string>>;

async function read(path: string): Promise<Uint8Array> {
  const reply = await fetch(path).catch((cause: unknown) => {
    throw new Error('The service did not respond. Check your connection and try again.', { cause });
  });
  if (!reply.ok)
    throw new Error(`The service did not send ${path} (status ${reply.status}). Reload the page.`);
  return new Uint8Array(await reply.arrayBuffer());
}

/** Fetches witness generator, proving key and verification key, about 600 KB in total. Browsers cache them. */
export async function fetchArtifacts(): Promise<{ wasm: Uint8Array; zkey: Uint8Array; vkey: Uint8Array }> {
  const [wasm, zkey, vkey] = await Promise.all([
    read(CIRCUIT_FILES.wasm),
    read(CIRCUIT_FILES.zkey),
    read(CIRCUIT_FILES.vkey),
  ]);
  return { wasm, zkey, vkey };
}
