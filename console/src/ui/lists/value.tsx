import { closed } from './closed';
import style from './value.module.css';

/** A value that does not exist, as a dash. Screen readers read why. */
export const Absent = ({ text = 'none' }: { readonly text?: string }) => (
  <span className={style.absent} data-absent>
    <span aria-hidden="true">–</span>
    <span className="visually-hidden">{text}</span>
  </span>
);

/** Text that a user typed, isolated so that its direction marks don't affect the text around it. */
export const Text = ({ of }: { readonly of: string | null }) =>
  of === null ? <Absent text="not given" /> : <bdi>{closed(of)}</bdi>;

/** The end of an ID. A UUIDv7 begins with the time, which is the same for records created at about the same time. */
export const shortId = (id: string): string => `…${id.slice(-8)}`;

export const Id = ({ of, short = false }: { readonly of: string | null; readonly short?: boolean }) =>
  of === null ? <Absent /> : <code title={short ? of : undefined}>{short ? shortId(of) : of}</code>;

export const Json = ({ of }: { readonly of: Readonly<Record<string, unknown>> | null }) =>
  of === null ? <Absent /> : <pre className={style.json}>{JSON.stringify(of, null, 2)}</pre>;
