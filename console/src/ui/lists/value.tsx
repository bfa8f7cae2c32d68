import style from './value.module.css';

/** Text that a user typed, isolated so that its direction marks don't affect the text around it. */
export const Text = ({ of }: { readonly of: string | null }) =>
  of === null ? <span className={style.none}>not given</span> : <bdi>{of}</bdi>;

/** The end of an ID. A UUIDv7 begins with the time, which is the same for records created at about the same time. */
const shortId = (id: string): string => `…${id.slice(-8)}`;

export const Id = ({ of, short = false }: { readonly of: string | null; readonly short?: boolean }) =>
  of === null ? (
    <span className={style.none}>none</span>
  ) : (
    <code title={short ? of : undefined}>{short ? shortId(of) : of}</code>
  );

export const Json = ({ of }: { readonly of: Readonly<Record<string, unknown>> | null }) =>
  of === null ? (
    <span className={style.none}>none</span>
  ) : (
    <pre className={style.json}>{JSON.stringify(of, null, 2)}</pre>
  );
