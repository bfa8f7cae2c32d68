import { describe, expect, it } from 'vitest';
import { BAD, GOOD } from '../../test/hours-vectors.js';
import { verifyHours } from '../hours.js';

const read = BAD.filter(({ codes }) => codes.every((code) => !/^(malformed|altered|incomplete)$/.test(code)));

describe('verifyHours', () => {
  it.each(read)(
    'names the event and the person of each finding, as far as the file does: $name',
    async ({ text, options }) => {
      const { findings } = await verifyHours([text], options);
      for (const { message, about } of findings) {
        const [, eventId] = /^The event ([0-9a-f-]{36}) /.exec(message) ?? [];
        if (eventId !== undefined) expect(about, message).toMatchObject({ eventId });
        const [, userId] = /^The (?:sheet of|person) ([0-9a-f-]{36}) /.exec(message) ?? [];
        if (userId !== undefined) expect(about?.userId, message).toBe(userId);
      }
    },
  );

  it.each(GOOD)(
    'says how many entries it has read, and ends with all of them: $name',
    async ({ text, options }) => {
      const seen: { read: number; of: number }[] = [];
      await verifyHours([text], { ...options, onProgress: (_, entries) => seen.push(entries) });
      expect(seen.at(-1)?.of).toBeGreaterThan(0);
      expect(seen.at(-1)?.read).toBe(seen.at(-1)?.of);
    },
  );
});
