// The unit of the CPU budgets: what a fixed piece of work costs here and now. The same machine can be four times slower an hour later,
// and then everything else that it runs is too.
import { createHash } from 'node:crypto';

const ROUNDS = 6;
const TIMES = 5;

/** What a test run does most: objects, texts, hashes, sorting and big numbers. */
function work() {
  let text = '';
  for (let round = 0; round < ROUNDS; round++) {
    const rows = Array.from({ length: 400 }, (_, id) => ({
      id: `${round}-${id}`,
      name: createHash('sha256').update(`${text}${id}`).digest('hex'),
      values: [id, id * 1.5, String(id)],
    }));
    const byName = new Map(rows.map((row) => [row.name, row]));
    const sorted = [...byName.keys()].sort();
    let number = BigInt(`0x${sorted[0]}`);
    for (let i = 0; i < 200; i++) number = (number * number) % ((1n << 254n) - 127n);
    text = JSON.stringify(JSON.parse(JSON.stringify(rows))).replaceAll(/[0-9]+/g, '#') + String(number);
  }
  return text.length;
}

/** CPU seconds of the work: the median of a few times, the first of which only warms up. */
export function calibrate() {
  work();
  const times = Array.from({ length: TIMES }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  });
  return times.sort((left, right) => left - right)[Math.floor(TIMES / 2)];
}
