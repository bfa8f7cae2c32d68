import type { Config } from '../base/config/config.js';
import type { Route } from './route.js';

/** Deprecated endpoints are deprecated from the day in the contract's version label. */
const DEPRECATED_AT = Date.parse('2026-05-12T00:00:00.000Z') / 1000;

/** `Deprecation` (RFC 9745) and `Link` of an endpoint with a successor, and `Sunset` (RFC 8594) if the operator set a date. */
export function deprecationHeaders(
  { successor }: Pick<Route, 'successor'>,
  { sunset }: Pick<Config, 'sunset'>,
): Record<string, string> {
  if (successor === undefined) return {};
  return {
    deprecation: `@${DEPRECATED_AT}`,
    link: `<${successor}>; rel="successor-version"`,
    ...(sunset && { sunset: sunset.toUTCString() }),
  };
}
