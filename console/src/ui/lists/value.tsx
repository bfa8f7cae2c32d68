import style from './value.module.css';

/** A text that somebody typed, apart from the text around it: its direction and its marks are its own. */
export const Text = ({ of }: { readonly of: string | null }) =>
  of === null ? <span className={style.none}>not given</span> : <bdi>{of}</bdi>;

/** The end of an id: the first digits of a UUIDv7 are the time, the same for all records made at about the same time. */
const shortId = (id: string): string => `…${id.slice(-8)}`;

/** An id; short in lists, where it only tells records apart. The whole of it is in the title. */
export const Id = ({ of, short = false }: { readonly of: string | null; readonly short?: boolean }) =>
  of === null ? (
    <span className={style.none}>none</span>
  ) : (
    <code title={short ? of : undefined}>{short ? shortId(of) : of}</code>
  );

/** Free-form data as it is kept. */
export const Json = ({ of }: { readonly of: Readonly<Record<string, unknown>> | null }) =>
  of === null ? (
    <span className={style.none}>none</span>
  ) : (
    <pre className={style.json}>{JSON.stringify(of, null, 2)}</pre>
  );
