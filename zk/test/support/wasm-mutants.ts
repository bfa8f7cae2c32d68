/** Single faults in a WebAssembly module: one instruction of a function replaced by another with the same operands. */

export interface Mutant {
  /** The function's index in the module's code. */
  readonly func: number;
  /** Offset of the instruction. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** Arithmetic and comparisons of limbs: an opcode and what replaces it. */
const REPLACEMENTS: ReadonlyMap<number, number> = new Map([
  [0x50, 0xa7], // i64.eqz: i32.wrap_i64
  [0x51, 0x52], // i64.eq: ne
  [0x52, 0x51], // i64.ne: eq
  [0x7c, 0x7d], // i64.add: sub
  [0x7d, 0x7c], // i64.sub: add
  [0x7e, 0x7c], // i64.mul: add
  [0x83, 0x84], // i64.and: or
  [0x84, 0x83], // i64.or: and
  [0x87, 0x88], // i64.shr_s: shr_u
  [0x88, 0x87], // i64.shr_u: shr_s
  [0x9c, 0x9b], // f64.floor: ceil
  [0xa0, 0xa1], // f64.add: sub
  [0xa2, 0xa0], // f64.mul: add
]);
/** The same for SIMD instructions, which have a prefix. */
const SIMD_REPLACEMENTS: ReadonlyMap<number, number> = new Map([
  [78, 80], // v128.and: or
  [80, 78], // v128.or: and
  [148, 117], // f64x2.nearest: floor
  [205, 204], // i64x2.shr_u: shr_s
  [206, 209], // i64x2.add: sub
  [209, 206], // i64x2.sub: add
  [240, 241], // f64x2.add: sub
  [241, 240], // f64x2.sub: add
  [242, 240], // f64x2.mul: add
  [263, 264], // f64x2.relaxed_madd: relaxed_nmadd
  [264, 263], // f64x2.relaxed_nmadd: relaxed_madd
]);
const I64_CONST = 0x42;

class Reader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new RangeError('the module ends within an instruction');
    return byte;
  }

  /** An unsigned LEB128 number. Signed ones are only skipped. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  skip(count: number, read: () => unknown): void {
    for (let i = 0; i < count; i++) read();
  }
}

/** Reads one instruction. Returns what to write instead of its opcode, if it can be replaced. */
function readInstruction(reader: Reader): readonly number[] | undefined {
  const number = () => reader.number();
  const opcode = reader.byte();
  if (opcode === 0xfc) {
    const kind = number();
    const immediates: Readonly<Record<number, number>> = { 8: 2, 9: 1, 10: 2, 11: 1 };
    reader.skip(immediates[kind] ?? 0, number);
    return;
  }
  if (opcode === 0xfd) {
    const kind = number();
    if (kind <= 11 || kind === 92 || kind === 93) reader.skip(2, number);
    else if (kind === 12 || kind === 13) reader.at += 16;
    else if (kind >= 21 && kind <= 34) reader.at += 1;
    else if (kind >= 84 && kind <= 91) {
      reader.skip(2, number);
      reader.at += 1;
    }
    const other = SIMD_REPLACEMENTS.get(kind);
    if (other === undefined) return;
    return [0xfd, ...(kind < 128 ? [other] : [(other & 0x7f) | 0x80, other >> 7])];
  }
  if (opcode === 0x0e) reader.skip(number() + 1, number);
  else if (opcode === 0x11 || (opcode >= 0x28 && opcode <= 0x3e)) reader.skip(2, number);
  else if (opcode === 0x43) reader.at += 4;
  else if (opcode === 0x44) reader.at += 8;
  else if (
    (opcode >= 0x02 && opcode <= 0x04) ||
    [0x0c, 0x0d, 0x10, 0x3f, 0x40, 0x41, 0x42].includes(opcode) ||
    (opcode >= 0x20 && opcode <= 0x24)
  )
    number();
  const other = REPLACEMENTS.get(opcode);
  return other === undefined ? undefined : [other];
}

/** Mutants of every function that computes with limbs, up to `perFunction` each, spread over its instructions. */
export function mutantsOf(module: Uint8Array, perFunction: number): Mutant[] {
  const reader = new Reader(module, 8);
  while (reader.byte() !== 10) {
    const size = reader.number();
    reader.at += size;
  }
  reader.number();
  const functions = reader.number();
  return Array.from({ length: functions }, (_, func) => {
    const size = reader.number();
    const end = reader.at + size;
    reader.skip(reader.number(), () => {
      reader.number();
      reader.byte();
    });
    const sites: { at: number; opcode: readonly number[] }[] = [];
    let afterConstant = false;
    while (reader.at < end) {
      const at = reader.at;
      const opcode = readInstruction(reader);
      // An operation with a constant may update a loop's counter. A mutant must not loop forever.
      if (opcode !== undefined && !afterConstant) sites.push({ at, opcode });
      afterConstant = module[at] === I64_CONST;
    }
    const step = Math.max(1, sites.length / perFunction);
    return Array.from({ length: Math.min(perFunction, sites.length) }, (__, i) => {
      const { at, opcode } = sites[Math.floor(i * step)] ?? { at: 0, opcode: [] };
      const bytes = Uint8Array.from(module);
      bytes.set(opcode, at);
      return { func, at, bytes };
    });
  }).flat();
}
