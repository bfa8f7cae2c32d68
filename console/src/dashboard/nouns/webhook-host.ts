/** A webhook's URL in parts, of which the host stands out. */
export interface UrlParts {
  /** Empty for `https://`. */
  readonly before: string;
  /** As browsers show it: an international name in its ASCII form, so that it can't be mistaken for another. */
  readonly host: string;
  readonly after: string;
}

export function partsOf(url: string): UrlParts {
  if (!URL.canParse(url)) return { before: '', host: url, after: '' };
  const { protocol, host, pathname, search, hash } = new URL(url);
  const path = `${pathname}${search}${hash}`;
  return { before: protocol === 'https:' ? '' : `${protocol}//`, host, after: path === '/' ? '' : path };
}

export const hostOf = (url: string): string => partsOf(url).host;
