import style from './code.module.css';
import { type CodeLanguage, tokensOf } from './tokens';

/** Code with colours. It can be scrolled with the keyboard. */
export const Code = ({
  label,
  language,
  wrap = false,
  children,
}: {
  /** What it is, for screen readers. */
  readonly label: string;
  readonly language: CodeLanguage;
  /** Breaks long lines. */
  readonly wrap?: boolean;
  readonly children: string;
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: only an element with the focus can be scrolled with the keyboard
  <section className={style.code} data-wrap={wrap} tabIndex={0} aria-label={label} dir="ltr">
    <pre>
      <code>
        {tokensOf(children, language).map(({ text, kind }, at) =>
          kind === undefined ? (
            text
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: a token is its position
            <span key={at} data-kind={kind}>
              {text}
            </span>
          ),
        )}
      </code>
    </pre>
  </section>
);
