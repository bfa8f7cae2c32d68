// What writes the code of each language, which the dashboard also uses.
import { loadSource } from '../source.mjs';

/** @type {typeof import('../../src/snippets/snippets')} */
export const { joined, Text, WRITERS } = await loadSource('snippets/snippets.ts');
