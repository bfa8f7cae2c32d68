import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program with only these settings and returns its output. Rejects with its output and errors if it fails. */
export async function runScript(
  file: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  const child = spawn(process.execPath, [file], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`it ended with ${code}:\n${output}${errors}`);
  return output;
}
