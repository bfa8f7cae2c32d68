/** A message of PostgreSQL's protocol, version 3. The client's first message has no type. */
export interface PgMessage {
  readonly type: string;
  readonly bytes: Buffer;
  /** Without the type and the length. */
  readonly body: Buffer;
}

/** Splits what one side sends into messages. */
export function messageReader(from: 'client' | 'server'): (chunk: Buffer) => PgMessage[] {
  let rest: Buffer = Buffer.alloc(0);
  let started = from === 'server';
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: PgMessage[] = [];
    for (;;) {
      const header = started ? 1 : 0;
      if (rest.length < header + 4) return messages;
      const end = header + rest.readUInt32BE(header);
      if (rest.length < end) return messages;
      const bytes = rest.subarray(0, end);
      const type = started ? String.fromCharCode(bytes[0] as number) : '';
      messages.push({ type, bytes, body: bytes.subarray(header + 4) });
      started = true;
      rest = rest.subarray(end);
    }
  };
}
