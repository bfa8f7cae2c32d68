import { CopyButton } from '../../ui/forms/copy';
import { Notice, Row } from '../../ui/layout/surface';
import { useShownOnce } from '../shown-once';
import style from './raw-key.module.css';

/** The full key. It exists only in this page's memory. */
export function RawKey({ text }: { readonly text: string }) {
  useShownOnce();
  return (
    <>
      <code className={style.key}>{text}</code>
      <Row>
        <CopyButton text={text} label="Copy the key" />
      </Row>
      <Notice tone="warn">
        Send this key with every request. Store it like a password. It is shown only now and can’t be
        retrieved later.
      </Notice>
    </>
  );
}
