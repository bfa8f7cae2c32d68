import type { ReactNode } from 'react';
import { CopyButton } from '../ui/forms/copy';
import { Notice, Row } from '../ui/layout/surface';
import style from './secret-once.module.css';
import { useShownOnce } from './shown-once';

/** A secret that can't be shown again. It exists only in this page's memory. */
export function SecretOnce({
  text,
  copy,
  more,
  children,
}: {
  readonly text: string;
  /** What the button that copies it says. */
  readonly copy: string;
  /** More actions. */
  readonly more?: ReactNode;
  /** What to do with it. */
  readonly children: ReactNode;
}) {
  useShownOnce();
  return (
    <>
      <code className={style.secret}>{text}</code>
      <Row>
        <CopyButton text={text} label={copy} />
        {more}
      </Row>
      <Notice tone="warn">{children}</Notice>
    </>
  );
}
