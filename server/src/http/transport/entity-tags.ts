// The conditions If-Match and If-None-Match of RFC 9110, section 13.1.

/** One entity tag. Commas may also be inside of its quotes. */
const TAG = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;
const LIST = /^[ \t,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,[ \t,]*|$))+$/;

interface Tag {
  readonly isWeak: boolean;
  readonly text: string;
}

/** The tags of a list; `*` for any. Something else names none. */
function readTags(header: string | undefined): readonly Tag[] | '*' {
  if (header?.trim() === '*') return '*';
  if (header === undefined || !LIST.test(header)) return [];
  return [...header.matchAll(TAG)].map(([, weak, text]) => ({
    isWeak: weak !== undefined,
    text: text as string,
  }));
}

/** Whether `If-Match` names this strong tag, or any. A weak tag never does. False without the header. */
export function isMatch(ifMatch: string | undefined, etag: string): boolean {
  const tags = readTags(ifMatch);
  return tags === '*' || tags.some(({ isWeak, text }) => !isWeak && text === etag);
}

/** Whether the client of `If-None-Match` has this version already. A proxy may have made the tag weak. */
export function isUnchanged(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = readTags(ifNoneMatch);
  return tags === '*' || tags.some(({ text }) => text === etag);
}
