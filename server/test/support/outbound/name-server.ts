import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';

/** What the server returns for a name: addresses, an error code of DNS, or nothing at all. */
export type Records = Readonly<Record<string, { readonly a?: Answer; readonly aaaa?: Answer }>>;
type Answer = readonly string[] | 'SERVFAIL' | 'NXDOMAIN' | 'silence';

const CODES = { SERVFAIL: 2, NXDOMAIN: 3 };
const TYPES: Readonly<Record<number, 'a' | 'aaaa'>> = { 1: 'a', 28: 'aaaa' };

/** A name server on the loopback address. Unknown names do not exist. */
export async function startNameServer(records: Records) {
  const questions: string[] = [];
  const server = createSocket('udp4', (message, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = message[at] as number; length > 0; length = message[at] as number) {
      labels.push(message.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.');
    const type = TYPES[message.readUInt16BE(at + 1)] ?? 'a';
    questions.push(`${name} ${type}`);
    const record = records[name];
    const answer = record ? (record[type] ?? []) : 'NXDOMAIN';
    if (answer === 'silence') return;
    const addresses = typeof answer === 'string' ? [] : answer;
    const head = Buffer.from(message.subarray(0, 12));
    head.writeUInt16BE(0x8180 | (typeof answer === 'string' ? CODES[answer] : 0), 2);
    head.writeUInt16BE(addresses.length, 6);
    head.writeUInt32BE(0, 8);
    const answers = addresses.map((text) => {
      const bytes = ipaddr.parse(text).toByteArray();
      // A pointer to the name, the type, the class, 60 seconds to live.
      return Buffer.from([
        0xc0,
        12,
        0,
        bytes.length === 4 ? 1 : 28,
        0,
        1,
        0,
        0,
        0,
        60,
        0,
        bytes.length,
        ...bytes,
      ]);
    });
    server.send(Buffer.concat([head, message.subarray(12, at + 5), ...answers]), from.port, from.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return { address: `127.0.0.1:${server.address().port}`, questions, stop: () => server.close() };
}
