import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './servers.mjs';

/** Redis at REDIS_URL, or one that is started here. */
export async function openRedis() {
  if (process.env.REDIS_URL) return { url: process.env.REDIS_URL, close() {} };
  const port = await freePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  const failed = once(server, 'error').then(([cause]) => {
    throw new Error('Set REDIS_URL, or install Redis: there is no redis-server on the PATH.', { cause });
  });
  const serving = (async () => {
    for await (const text of server.stdout) if (text.includes('Ready to accept connections')) break;
  })();
  await Promise.race([serving, failed]);
  failed.catch(() => {});
  return { url: `redis://127.0.0.1:${port}`, close: () => server.kill() };
}
