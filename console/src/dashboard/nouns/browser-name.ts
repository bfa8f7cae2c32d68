/** The first that matches counts, because browsers also name those they are compatible with. */
const BROWSERS = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:\b|Headless)(?:Chrome|CriOS)\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
] as const;
const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** `Firefox on Linux`, from a browser's `User-Agent`. Other programs have the name they give themselves. */
export function browserName(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown program';
  const [browser, system] = [BROWSERS, SYSTEMS].map(
    (known) => known.find(([, sign]) => sign.test(userAgent))?.[0],
  );
  if (browser === undefined) return /^[\w.-]+/.exec(userAgent)?.[0] ?? 'Unknown program';
  return system === undefined ? browser : `${browser} on ${system}`;
}
