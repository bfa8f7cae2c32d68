import { useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextArea } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import style from '../phone.module.css';
import { Screen } from '../screen';
import { Camera } from './camera';
import { type Request, readCode } from './read-code';

/** A code by camera, or pasted. What cannot be read is said, and the camera looks on. */
export function Scan({
  onRead,
  onClose,
}: {
  readonly onRead: (request: Request) => void;
  readonly onClose: () => void;
}) {
  const [error, setError] = useState<unknown>();
  const take = (text: string) => {
    try {
      onRead(readCode(text));
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Screen title="Scan a code">
      <p className={style.soft}>Hold the camera over the code of the desk, or of the desktop to sign in.</p>
      <Camera onText={take} />
      {error !== undefined && <Failure error={error} />}
      <Form className={style.form} names={['code']} onSend={({ code }) => take(code)}>
        <TextArea
          label="Or paste the code"
          name="code"
          rows={2}
          hint="The text or link beside the picture."
          autoComplete="off"
          spellCheck={false}
          required
        />
        <div className={style.choices}>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit">
            Read it
          </Button>
        </div>
      </Form>
    </Screen>
  );
}
