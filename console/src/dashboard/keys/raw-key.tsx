import { CopyButton } from '../../ui/forms/copy';
import { Notice, Row } from '../../ui/layout/surface';
import { useShownOnce } from '../shown-once';
import style from './raw-key.module.css';

/** A key in full. It lives in this page's memory alone, and is gone with it. */
export function RawKey({ text }: { readonly text: string }) {
  useShownOnce();
  return (
    <>
      <code className={style.key}>{text}</code>
      <Row>
        <CopyButton text={text} label="Copy the key" />
      </Row>
      <Notice tone="warn">Store it now. It is shown this once, and nobody can show it again.</Notice>
    </>
  );
}
