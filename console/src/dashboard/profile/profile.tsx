import { useState } from 'react';
import { UnsavedChanges } from '../../ui/dialogs/unsaved';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { ChooseFile } from '../../ui/forms/fields/choose-file';
import { TextField } from '../../ui/forms/fields/field';
import { Form } from '../../ui/forms/form';
import { Panel } from '../../ui/layout/panel';
import { Row, Stack } from '../../ui/layout/stack';
import { Page } from '../../ui/layout/surface';
import { Loaded } from '../../ui/lists/loaded';
import { CloseAccount } from '../closing/closing';
import { EditableBy } from '../nouns/members/needs';
import { type Reply, useOperation } from '../operations/operation';
import { useSend } from '../operations/send';
import { Preview } from './preview';
import style from './profile.module.css';

type CompanyProfile = Reply<'consoleGetProfile'>['profile'];

const MAX_LOGO_KIB = 32;

/** What people see of the company: on the phone that registers, and where they sign in. */
export function Profile() {
  const profile = useOperation('consoleGetProfile', {}, { select: (reply) => reply.profile });
  return (
    <Page title="Company" about="What people see of your company on their phone.">
      <div className={style.columns}>
        <Loaded name="the profile" query={profile}>
          {(current) => <ProfileForm current={current} />}
        </Loaded>
      </div>
      {/* Below the profile, so that it does not move when that is there. */}
      {!profile.isPending && (
        <div className={style.close}>
          <CloseAccount />
        </div>
      )}
    </Page>
  );
}

function ProfileForm({ current }: { readonly current: CompanyProfile }) {
  const [name, setName] = useState(current.name);
  const [accentColor, setColor] = useState(current.accentColor);
  /** Undefined: as it is. Null: removed. */
  const [logo, setLogo] = useState<string | null>();
  const [fault, setFault] = useState<string>();
  const [fileName, setFileName] = useState<string>();
  const save = useSend('consoleUpdateProfile', {
    done: 'Profile saved',
    onSuccess: () => {
      setLogo(undefined);
      setFileName(undefined);
    },
  });
  const send = () => save.mutate({ body: { name, accentColor, ...(logo !== undefined && { logo }) } });
  const choose = async (file: File) => {
    const isSmall = file.size <= MAX_LOGO_KIB * 1024;
    setLogo(isSmall ? await toBase64(file) : undefined);
    setFileName(isSmall ? file.name : undefined);
    setFault(
      isSmall ? undefined : `${file.name} has ${Math.ceil(file.size / 1024)} KiB. Choose a smaller file.`,
    );
  };
  const remove = () => {
    setLogo(null);
    setFileName(undefined);
    setFault(undefined);
  };
  const shownLogo =
    logo === undefined ? (current.logo?.url ?? null) : logo && `data:image/png;base64,${logo}`;
  const isChanged = name !== current.name || accentColor !== current.accentColor || logo !== undefined;
  return (
    <>
      <UnsavedChanges exist={isChanged} />
      <Panel title="Profile">
        <EditableBy least="developer">
          <Form names={['name', 'accentColor', 'logo']} error={save.error} onSend={send}>
            <Stack>
              <TextField
                label="Name"
                name="name"
                value={name}
                maxLength={200}
                onChange={(event) => setName(event.target.value)}
                required
              />
              <TextField
                label="Color"
                name="accentColor"
                type="color"
                value={accentColor}
                onChange={(event) => setColor(event.target.value)}
                hint="The color of your card on people’s phones."
              />
              <ChooseFile
                label="Choose a logo, or drop it here"
                name="logo"
                accept="image/png,image/webp"
                onFile={(file) => void choose(file)}
                hint={`PNG or WebP, at most ${MAX_LOGO_KIB} KiB and 1024 × 1024 pixels`}
                chosen={fileName}
                error={fault}
              />
              {save.error && <Failure error={save.error} />}
              <Row>
                <Button look="primary" type="submit" busy={save.isPending} disabled={fault !== undefined}>
                  Save
                </Button>
                {shownLogo !== null && <Button onClick={remove}>Remove the logo</Button>}
              </Row>
            </Stack>
          </Form>
        </EditableBy>
      </Panel>
      <Preview name={name} accentColor={accentColor} logo={shownLogo} />
    </>
  );
}

async function toBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
