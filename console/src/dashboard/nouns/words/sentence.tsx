import { Link } from 'react-router';
import { closed } from '../../../ui/lists/closed';
import { useEnvironment } from '../../operations/environment';
import style from '../reference.module.css';
import { type Entry, type Piece, piecesOf } from './pieces';

/** Parts of a sentence, with names as links. Names are isolated, because they can be in another script. */
export const Pieces = ({ of, plain = false }: { readonly of: readonly Piece[]; readonly plain?: boolean }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: a part is its position
  of.map((piece, at) => <Part key={at} of={plain ? { ...piece, to: undefined } : piece} />);

function Part({ of: { text, isName, to } }: { readonly of: Piece }) {
  const environment = useEnvironment();
  const shown = isName ? <bdi>{closed(text)}</bdi> : text;
  if (to === undefined) return shown;
  return (
    <Link className={style.reference} to={to(environment)}>
      {shown}
    </Link>
  );
}

/** Who did what to what. Without links where the sentence itself is one. */
export const Sentence = ({ of, plain = false }: { readonly of: Entry; readonly plain?: boolean }) => (
  <span>
    <Pieces of={piecesOf(of)} plain={plain} />
  </span>
);
