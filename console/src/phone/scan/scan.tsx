import { useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextArea } from '../../ui/forms/fields/field';
import { Form } from '../../ui/forms/form';
import { t } from '../language/strings';
import { Later } from '../parts/later';
import { Actions, Screen } from '../parts/screen/screen';
import style from '../parts/screen/screen.module.css';
import { type Request, readCode } from './read-code';

/** Reads a code from the camera or from pasted text. After an error, the camera continues scanning. */
export function Scan({
  onRead,
  onClose,
}: {
  readonly onRead: (request: Request) => void;
  readonly onClose: () => void;
}) {
  const [error, setError] = useState<unknown>();
  const accept = (text: string) => {
    try {
      onRead(readCode(text));
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Screen title={t.scan}>
      <p className={style.soft}>{t.scanner.about}</p>
      <Later name="camera" load={async () => (await import('./camera')).Camera} of={{ onText: accept }} />
      {error !== undefined && <Failure error={error} />}
      <Form className={style.form} names={['code']} onSend={({ code }) => accept(code)}>
        <TextArea
          label={t.scanner.paste}
          name="code"
          rows={2}
          hint={t.scanner.pasteHint}
          autoComplete="off"
          spellCheck={false}
          required
        />
        <Actions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button look="primary" type="submit">
            {t.scanner.use}
          </Button>
        </Actions>
      </Form>
    </Screen>
  );
}
