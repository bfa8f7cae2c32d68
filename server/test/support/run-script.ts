import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program with these settings and no others; what it printed. Rejects with all of that when it fails. */
export async function runScript(
  file: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  const child = spawn(process.execPath, [file], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let complaints = '';
  child.stdout.on('data', (piece: Buffer) => {
    printed += piece.toString();
  });
  child.stderr.on('data', (piece: Buffer) => {
    complaints += piece.toString();
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`it ended with ${code}:\n${printed}${complaints}`);
  return printed;
}
