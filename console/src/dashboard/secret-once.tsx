import type { ReactNode } from 'react';
import { CopyButton } from '../ui/forms/copy';
import { Row } from '../ui/layout/stack';
import { Notice } from '../ui/layout/surface';
import style from './secret-once.module.css';
import { useShownOnce } from './shown-once';

interface Shown {
  readonly text: string;
  /** What the button that copies it says. */
  readonly copy: string;
  /** More actions. */
  readonly more?: ReactNode;
}

/** A secret that can't be shown again. It exists only in this page's memory. */
export function SecretText({ text, copy, more }: Shown) {
  useShownOnce();
  return (
    <>
      <code className={style.secret}>{text}</code>
      <Row>
        <CopyButton text={text} label={copy} />
        {more}
      </Row>
    </>
  );
}

/** A secret that can't be shown again, and what to do with it. */
export const SecretOnce = ({ children, ...secret }: Shown & { readonly children: ReactNode }) => (
  <>
    <SecretText {...secret} />
    <Notice tone="warn">{children}</Notice>
  </>
);
