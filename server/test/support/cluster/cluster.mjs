// Two nodes over one PostgreSQL and one Redis behind a small load balancer, for the tests of rolling restarts. SIGHUP restarts the
// nodes one after the other while the rest serve. A killed node is started again. Settings come from the environment:
// DATABASE_URL, REDIS_URL, SVC_SECRET, PORT.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root, setUp } from '../../../../scripts/setup.mjs';
import { startBalancer } from './balancer.mjs';

const port = Number(process.env.PORT);
const nodePorts = [port + 1, port + 2];
const READY_TIMEOUT_MS = 60_000;

await setUp();
/** @type {Map<number, import('node:child_process').ChildProcess>} */
const nodes = new Map();
let ending = false;
let restarting = false;
let serving = false;

function startNode(/** @type {number} */ nodePort) {
  const child = spawn(process.execPath, [join(root, 'server', 'dist', 'bin', 'serve.js')], {
    cwd: root,
    // A process group of its own: Ctrl-C on the terminal reaches us, and we end the nodes in order.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      LOG_LEVEL: 'warn',
      DRAIN_SECONDS: '2',
      ...process.env,
      PORT: String(nodePort),
      HOST: '127.0.0.1',
      BASE_URL: process.env.BASE_URL || `http://localhost:${port}`,
      TRUST_PROXY: '127.0.0.1',
      METRICS_PORT:
        process.env.METRICS_PORT && String(Number(process.env.METRICS_PORT) + nodePorts.indexOf(nodePort)),
    },
  });
  nodes.set(nodePort, child);
  child.once('exit', (code, signal) => {
    nodes.delete(nodePort);
    if (ending || restarting) return;
    console.error(`The node on ${nodePort} ended with ${code ?? signal}.`);
    if (serving) startNode(nodePort);
    else void end(1);
  });
}

const balancer = await startBalancer({ port, nodes: nodePorts }).catch((error) => {
  console.error(`The balancer cannot listen on ${port}: ${error.message}. Set PORT to a free one.`);
  process.exitCode = 1;
  return undefined;
});
if (balancer) {
  for (const nodePort of nodePorts) startNode(nodePort);
  process.on('SIGINT', () => void end(0));
  process.on('SIGTERM', () => void end(0));
  process.on('SIGHUP', () => void restartAll());
  for (const nodePort of nodePorts) await until(() => balancer.isReady(nodePort));
  if (!ending) {
    serving = true;
    const shown = nodePorts.map((nodePort) => `${nodePort} (process ${nodes.get(nodePort)?.pid})`);
    console.log(`\nCluster on http://localhost:${balancer.port}, nodes on ${shown.join(' and ')}.`);
    console.log(`Ctrl-C ends it; \`kill -HUP ${process.pid}\` restarts the nodes one after the other.\n`);
  }
}

/** One node at a time: the next one goes when this one serves again. */
async function restartAll() {
  if (restarting || ending || !balancer) return;
  restarting = true;
  for (const nodePort of nodePorts) {
    const child = nodes.get(nodePort);
    if (child) {
      child.kill('SIGTERM');
      const [code, signal] = await once(child, 'exit');
      if (code !== 0) console.error(`The node on ${nodePort} ended with ${code ?? signal}.`);
    }
    if (ending) return;
    await until(() => !balancer.isReady(nodePort));
    startNode(nodePort);
    await until(() => balancer.isReady(nodePort));
    console.log(`The node on ${nodePort} was restarted.`);
  }
  restarting = false;
}

async function end(/** @type {number} */ code) {
  if (ending) return;
  ending = true;
  const children = [...nodes.values()];
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
  await balancer?.close();
  process.exit(code);
}

async function until(/** @type {() => boolean} */ holds) {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!holds() && !ending) {
    if (Date.now() > deadline) {
      console.error('A node is not ready in time; see its output above.');
      return end(1);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
