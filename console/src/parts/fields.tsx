import { Choice } from '../ui/forms/fields/choice';
import { CheckField, SelectField, TextArea, TextField } from '../ui/forms/fields/field';
import { NewPassword } from '../ui/forms/fields/new-password';
import { PasswordField } from '../ui/forms/fields/password-field';
import { Form } from '../ui/forms/form';
import { REJECTED } from './failures';
import style from './parts.module.css';
import { Group, Shown } from './shown';

export const Fields = () => (
  <Group title="Fields">
    <div className={style.columns}>
      <Shown as="Text">
        <TextField label="Name" placeholder="Lobby kiosk" />
        <TextField label="Name" defaultValue="Lobby kiosk" hint="Where the device is or who uses it." />
        <TextField label="Name" defaultValue="Lobby kiosk" disabled />
      </Shown>
      <Shown as="With an error">
        <TextField label="Last day" error="Enter a date in the future." />
        <TextArea label="Profile" defaultValue="{" error="Enter a JSON object." />
      </Shown>
      <Shown as="Rejected by the service">
        <Form names={['name']} error={REJECTED} onSend={() => {}}>
          <TextField label="Name" name="name" />
        </Form>
      </Shown>
      <Shown as="Choices">
        <SelectField label="Type">
          <option>Kiosk</option>
          <option>Desktop</option>
        </SelectField>
        <CheckField label="users:read" hint="list people, and watch registrations" defaultChecked />
        <CheckField label="users:write" />
        <CheckField label="audit:read" disabled />
      </Shown>
      <Shown as="Choice with a line about each option">
        <Choice
          legend="Permissions"
          options={{
            server: { name: 'Server', about: 'Everything except simulated sign-on.' },
            phone: { name: 'Phone', about: 'Only what a phone needs: sign in on a computer.' },
          }}
          chosen="server"
          onChoose={() => {}}
        />
      </Shown>
      <Shown as="Other types">
        <PasswordField label="Password" defaultValue="a long sentence" />
        <NewPassword name="new" />
        <TextField label="Last day" type="date" />
        <TextField label="Color" type="color" defaultValue="#0a6c56" />
      </Shown>
    </div>
  </Group>
);
