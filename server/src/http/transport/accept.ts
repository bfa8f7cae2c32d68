// The headers Accept, Accept-Encoding and Vary.
import type { FastifyReply } from 'fastify';

/** Smallest first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The smallest of these encodings that the client accepts; undefined for none. */
export function encodingOf(accepted = '', has: (encoding: Encoding) => boolean): Encoding | undefined {
  const entries = accepted.split(',').filter((entry) => !/;\s*q=0(\.0*)?\s*$/.test(entry));
  const names = entries.map((entry) => entry.trim().split(';', 1)[0]);
  return ENCODINGS.find((encoding) => names.includes(encoding) && has(encoding));
}

/** The quality of a media type that the client names itself; undefined if only a wildcard or nothing covers it. */
function qualityOf(accepted: string, type: string): number | undefined {
  for (const entry of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
    if (name === type) return Number(parameters.find((part) => /^q=/.test(part))?.slice(2) ?? 1) || 0;
  }
  return undefined;
}

/** Whether the client names HTML and likes it better than JSON, as a browser does that opens an address. */
export const prefersHtml = (accepted = ''): boolean =>
  (qualityOf(accepted, 'text/html') ?? 0) > (qualityOf(accepted, 'application/json') ?? 0);

/** Adds a request header to `Vary`, and keeps those that are there. */
export function varyBy(reply: FastifyReply, name: string): void {
  const names = String(reply.getHeader('vary') ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
  if (!names.some((entry) => entry.toLowerCase() === name))
    void reply.header('vary', [...names, name].join(', '));
}
