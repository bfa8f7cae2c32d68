import { useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextArea } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import style from '../phone.module.css';
import { Actions, Screen } from '../screen';
import { Camera } from './camera';
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
    <Screen title="Scan a code">
      <p className={style.soft}>
        Point the camera at the desk’s code, or at the code of the desktop to sign in.
      </p>
      <Camera onText={accept} />
      {error !== undefined && <Failure error={error} />}
      <Form className={style.form} names={['code']} onSend={({ code }) => accept(code)}>
        <TextArea
          label="Or paste the code"
          name="code"
          rows={2}
          hint="The text or link next to the QR code."
          autoComplete="off"
          spellCheck={false}
          required
        />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit">
            Use code
          </Button>
        </Actions>
      </Form>
    </Screen>
  );
}
