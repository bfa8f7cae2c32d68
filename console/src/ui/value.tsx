import style from './value.module.css';

/** A text that somebody typed, apart from the text around it: its direction and its marks are its own. */
export const Text = ({ of }: { readonly of: string | null }) =>
  of === null ? <span className={style.none}>not given</span> : <bdi>{of}</bdi>;

/** An id; short in lists, where it only tells records apart. */
export const Id = ({ of, short = false }: { readonly of: string | null; readonly short?: boolean }) =>
  of === null ? (
    <span className={style.none}>none</span>
  ) : (
    <code title={short ? of : undefined}>{short ? of.slice(0, 8) : of}</code>
  );

/** Free-form data as it is kept. */
export const Json = ({ of }: { readonly of: Readonly<Record<string, unknown>> | null }) =>
  of === null ? (
    <span className={style.none}>none</span>
  ) : (
    <pre className={style.json}>{JSON.stringify(of, null, 2)}</pre>
  );
