// Serves the phone, and passes what it asks to the service. In production, the page and the service have one origin, or the page is in an app.
//
//   SVC_URL=http://localhost:3000 PORT=8090 node serve.mjs
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const { SVC_URL = 'http://localhost:3000', PORT = '8090', ARTIFACTS = '@svc/sdk/artifacts' } = process.env;
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const artifact = (kind) => readFileSync(new URL(import.meta.resolve(`${ARTIFACTS}/identity_proof.${kind}`)));
const bundled = await build({ entryPoints: [here('phone.mjs')], bundle: true, format: 'esm', write: false });
const FILES = {
  '/': ['text/html', readFileSync(here('index.html'))],
  '/service': ['text/plain', SVC_URL],
  '/phone.js': ['text/javascript', bundled.outputFiles[0].contents],
  '/identity_proof.wasm': ['application/wasm', artifact('wasm')],
  '/identity_proof.zkey': ['application/octet-stream', artifact('zkey')],
};

const server = createServer(async (request, response) => {
  const file = FILES[request.url];
  if (file) return response.writeHead(200, { 'content-type': file[0] }).end(file[1]);
  const body = await new Response(request).arrayBuffer();
  const { method, headers } = request;
  const sent = { method, headers: { 'content-type': headers['content-type'] ?? 'application/json' } };
  const reply = await fetch(SVC_URL + request.url, body.byteLength > 0 ? { ...sent, body } : sent);
  const received = ['content-type', 'date'].map((name) => [name, reply.headers.get(name) ?? '']);
  response.writeHead(reply.status, Object.fromEntries(received)).end(Buffer.from(await reply.arrayBuffer()));
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
