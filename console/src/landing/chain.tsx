/** An entry of an audit chain, as in the API. */
export interface ChainEntry {
  readonly seq: number;
  readonly action: string;
  readonly summary: string;
  readonly prevHash: string;
  readonly hash: string;
}

/** The audit log as a chain: each entry contains the hash of the one before. */
export const Chain = ({ entries }: { readonly entries: readonly ChainEntry[] }) => (
  <ol className="chain">
    {entries.map(({ seq, action, summary, prevHash, hash }) => (
      <li key={seq}>
        <div>
          <strong>{summary}</strong>
          <code>{action}</code>
        </div>
        <dl>
          <dt>Previous hash</dt>
          <dd className={`link-${seq % 3}`}>{short(prevHash)}</dd>
          <dt>Hash</dt>
          <dd className={`link-${(seq + 1) % 3}`}>{short(hash)}</dd>
        </dl>
      </li>
    ))}
  </ol>
);

const short = (hash: string): string => `${hash.slice(0, 8)}…${hash.slice(-6)}`;
