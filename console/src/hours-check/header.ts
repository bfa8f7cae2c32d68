import type { KeptTree } from './messages';

/** What the page needs of the first line. The check reads it too, and judges it. */
export interface Header {
  readonly tree: KeptTree;
  /** Names the audit log that the tree is of. */
  readonly log: string;
  readonly timeZone: string;
  readonly isForgeable: boolean;
}

/** A longer line is not that of such a file. */
const MAX_LENGTH = 64 * 1024;

/** Takes pieces of a file until it has the first line. Undefined if that is no header. */
export function readHeader(onHeader: (header: Header | undefined) => void): (piece: Uint8Array) => void {
  const utf8 = new TextDecoder();
  let text: string | undefined = '';
  return (piece) => {
    if (text === undefined) return;
    text += utf8.decode(piece.subarray(0, MAX_LENGTH), { stream: true });
    const end = text.indexOf('\n');
    if (end === -1 && text.length < MAX_LENGTH) return;
    onHeader(end === -1 ? undefined : headerIn(text.slice(0, end)));
    text = undefined;
  };
}

/** The header of a whole file. */
export async function headerOf(file: Blob): Promise<Header | undefined> {
  let header: Header | undefined;
  const read = readHeader((found) => {
    header = found;
  });
  read(new Uint8Array(await file.slice(0, MAX_LENGTH).arrayBuffer()));
  return header;
}

function headerIn(line: string): Header | undefined {
  try {
    const { tenantId, environment, tree, publicKey, site, setup } = JSON.parse(line);
    return {
      tree: { ...tree, publicKey },
      log: `${tenantId} ${environment}`,
      timeZone: site.timeZone,
      isForgeable: setup.kind === 'development',
    };
  } catch {
    return undefined;
  }
}
