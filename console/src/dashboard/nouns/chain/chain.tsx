import style from './chain.module.css';

/** The picture has so many links, however many entries the log has. */
export const LINKS = 36;

/** The chain as a row of links. Those that were verified are filled, and the first that does not hold is marked. */
export function Chain({ share, isBroken }: { readonly share: number; readonly isBroken: boolean }) {
  const intact = Math.floor(share * LINKS);
  const stateOf = (at: number) => {
    if (at < intact) return 'intact';
    return isBroken && at === intact ? 'broken' : 'open';
  };
  return (
    <div className={style.chain} aria-hidden="true">
      {Array.from({ length: LINKS }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a link is its position
        <i key={at} data-state={stateOf(at)} />
      ))}
    </div>
  );
}
