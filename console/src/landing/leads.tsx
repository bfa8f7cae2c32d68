import { Svc } from '@svc/sdk';
import { type ReactNode, useRef, useState } from 'react';
import { Failure } from '../ui/failure';
import { Button, ButtonAnchor } from '../ui/forms/button';
import { TextField } from '../ui/forms/fields/field';
import { Form } from '../ui/forms/form';
import { Notice } from '../ui/layout/surface';
import style from './leads.module.css';

// Made when a form is sent, because the build renders this page without a browser.
const service = () => new Svc({ baseUrl: location.origin });

type Sending<T> = { readonly busy: boolean; readonly error?: unknown; readonly response?: T };

function useSending<I, T>(send: (input: I) => Promise<T>) {
  const [state, setState] = useState<Sending<T>>({ busy: false });
  const isSending = useRef(false);
  const start = async (input: I) => {
    // A second click may arrive before the button renders as busy.
    if (isSending.current) return;
    isSending.current = true;
    setState({ busy: true });
    try {
      setState({ busy: false, response: await send(input) });
    } catch (error) {
      setState({ busy: false, error });
    } finally {
      isSending.current = false;
    }
  };
  return [state, (input: I) => void start(input)] as const;
}

export const Leads = () => (
  <div className={style.leads}>
    <Pilot />
    <Whitepaper />
  </div>
);

const Box = ({
  id,
  title,
  text,
  children,
}: Record<'id' | 'title' | 'text', string> & { readonly children: ReactNode }) => (
  <div className={style.box} id={id}>
    <h3>{title}</h3>
    <p>{text}</p>
    {children}
  </div>
);

function Pilot() {
  const [{ busy, error, response }, send] = useSending(
    (body: Record<'name' | 'company' | 'email' | 'size', string>) =>
      service().request('requestPilot', { body }),
  );
  return (
    <Box
      id="pilot"
      title="Request a pilot"
      text="Tell us who you are and how many people will use it. We reply by e-mail."
    >
      {response ? (
        <Notice tone="good">Thank you. We will contact you.</Notice>
      ) : (
        <Form names={['name', 'company', 'email', 'size']} error={error} onSend={send}>
          <TextField label="Name" name="name" autoComplete="name" maxLength={200} required />
          <TextField label="Company" name="company" autoComplete="organization" maxLength={200} required />
          <TextField label="E-mail" name="email" type="email" autoComplete="email" required />
          <TextField
            label="How many people"
            name="size"
            hint="A number or a range, for example 50-200."
            maxLength={64}
            required
          />
          {error !== undefined && <Failure error={error} />}
          <Button look="primary" type="submit" busy={busy}>
            Send
          </Button>
        </Form>
      )}
    </Box>
  );
}

function Whitepaper() {
  const [{ busy, error, response }, send] = useSending((body: Record<'email', string>) =>
    service().request('requestWhitepaper', { body }),
  );
  return (
    <Box
      id="whitepaper"
      title="Read the whitepaper"
      text="A PDF about how it works, which attacks it resists and which it doesn’t, with references."
    >
      {response ? (
        <Notice
          tone="good"
          action={
            <ButtonAnchor look="primary" href={response.downloadUrl}>
              Open the PDF
            </ButtonAnchor>
          }
        >
          Your PDF is ready.
        </Notice>
      ) : (
        <Form names={['email']} error={error} onSend={send}>
          <TextField label="E-mail" name="email" type="email" autoComplete="email" required />
          {error !== undefined && <Failure error={error} />}
          <Button type="submit" busy={busy}>
            Get the whitepaper
          </Button>
        </Form>
      )}
    </Box>
  );
}
