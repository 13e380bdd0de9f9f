"""The files that have a trait, wherever they lie or at a fixed place.

One entry is one path. `/x` begins at the root and `~/x` in anybody's home; all others may lie anywhere. `x/` is a
directory with all that lies below it, `*` is any one name, and `*` inside of the last name is any part of it.
Entries are in lower case and hold for every case: file systems of macOS and Windows make no difference.
"""

from __future__ import annotations

from gateway.inspect.path.trait import PathTrait

TABLE: dict[PathTrait, str] = {
    PathTrait.SECRET: """
        .env .env.* .env-* .env_* *.env .envrc .envrc.*
        .ssh/ .gnupg/ .aws/ .azure/ .kube/ .oci/ .password-store/ .aliyun/ .bluemix/ .tsh/ .sops/ .cloudflared/
        .config/gcloud/ .config/gh/ .config/hub .config/glab-cli/ .config/doctl/ .config/op/ .config/sops/
        .config/age/ .config/stripe/ .config/heroku/ .config/ngrok/ .config/rclone/ .config/github-copilot/
        .config/configstore/ .config/solana/ .config/linode-cli .config/hcloud/ .config/scw/ .config/flyctl/
        .config/netlify/ .config/vercel/ .config/containers/auth.json .config/pypoetry/auth.toml
        .config/kaggle/ .config/wandb/ .config/huggingface/ .config/openai/ .config/io.datasette.llm/keys.json
        application\\ support/github.copilot/
        .docker/config.json .dockercfg .cargo/credentials .cargo/credentials.toml .gem/credentials
        .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .nuget/nuget.config .composer/auth.json
        .terraform.d/credentials.tfrc.json .terraformrc terraform.rc *.tfstate *.tfstate.backup *.tfvars *.tfvars.json
        .pulumi/credentials.json .netlify/config.json .supabase/access-token .fly/ .vercel/auth.json .railway/
        .databrickscfg .snowsql/ .snowflake/ .dbt/profiles.yml .kaggle/kaggle.json .huggingface/token
        .cache/huggingface/token .ngrok2/ .s3cfg .boto .rclone.conf rclone.conf .wgetrc .curlrc
        .claude/.credentials.json .codex/auth.json .gemini/oauth_creds.json .gemini/google_accounts.json
        .local/share/opencode/auth.json .continue/config.json .aider.conf.yml
        id_rsa id_dsa id_ecdsa id_ed25519 id_xmss id_ecdsa_sk id_ed25519_sk id_rsa.* id_ed25519.* id_ecdsa.*
        *_rsa *_ed25519 *_ecdsa deploy_key deploy-key
        .netrc _netrc .authinfo .authinfo.gpg .pgpass pgpass.conf .my.cnf .mylogin.cnf .npmrc .yarnrc .pypirc
        .htpasswd .htdigest .git-credentials .gitcredentials .vault-token .vault_pass .vault_pass.txt
        .vault-password vault_pass.txt vault-password.txt .secrets .secret .passwd .password .passwords .credentials
        credentials credentials.json credentials.yml credentials.yaml credentials.csv credentials.ini credentials.xml
        credentials.txt credentials.toml credentials.db creds.json creds.txt creds.yml creds.yaml
        secrets.json secrets.yml secrets.yaml secrets.toml secrets.ini secrets.txt secrets.env secrets.xml
        secrets.properties secret.json secret.yml secret.yaml secret.txt secret.key secrets.enc.yaml
        *.secrets.json *.secrets.yaml *.secrets.yml *-secrets.yaml *-secrets.yml *-secret.yaml *-secret.yml
        secrets/*.json secrets/*.yml secrets/*.yaml secrets/*.txt secrets/*.toml secrets/*.ini secrets/*.conf
        secrets/*.enc secrets/*.csv secrets/*.xml secrets/*.properties secret/*.json secret/*.yml secret/*.yaml
        secret/*.txt credentials/*.json credentials/*.txt credentials/*.yml credentials/*.yaml
        appsettings.secrets.json usersecrets/ passwords.txt password.txt passwd.txt passwords.csv passwords.json
        logins.csv token.json token.txt tokens.txt api_key.txt apikey.txt api_keys.txt api-keys.txt
        auth.json oauth_token.json client_secret*.json client-secret*.json *service-account*.json
        *service_account*.json *serviceaccount*.json gcp-key*.json gcp_key*.json gcloud-key*.json
        firebase-adminsdk*.json *-firebase-adminsdk-*.json application_default_credentials.json
        kubeconfig .kubeconfig *.kubeconfig kubeconfig.yaml kubeconfig.yml kubeconfig.json admin.conf
        master.key production.key local.settings.json wp-config.php .dev.vars
        *.pem *.key *.p12 *.pfx *.p8 *.pk8 *.jks *.keystore *.bcfks *.ppk *.kdbx *.kdb *.keytab *.ovpn *.agekey
        *.keychain *.keychain-db *.asc.key *.snk *.wallet *.pvk *.priv *.privkey *.opvault *.agilekeychain
        ssh_host_*_key wallet.dat keystore/utc--* .ethereum/keystore/ .bitcoin/ .electrum/ .aws-credentials
        library/keychains/ .local/share/keyrings/ .local/share/kwalletd/ .kde/share/apps/kwallet/
        login\\ data login\\ data-journal cookies.sqlite logins.json key3.db key4.db cert9.db signons.sqlite
        .config/google-chrome/*/cookies .config/chromium/*/cookies google/chrome/*/cookies network/cookies
        .config/google-chrome/*/web\\ data cookies.binarycookies library/cookies/ .config/google-chrome/local\\ state
        .mozilla/firefox/*/formhistory.sqlite .thunderbird/ .config/signal/ .config/slack/cookies
        microsoft/credentials/ microsoft/protect/ microsoft/vault/
        etc/shadow etc/shadow- etc/gshadow etc/gshadow- /etc/master.passwd /etc/security/opasswd /etc/sudoers
        /etc/sudoers.d/ /etc/ssl/private/ /etc/pki/tls/private/ /etc/letsencrypt/ /etc/wireguard/ /etc/openvpn/
        /etc/ipsec.secrets /etc/ppp/chap-secrets /etc/krb5.keytab /etc/kubernetes/ /etc/rancher/ /etc/docker/key.json
        /etc/netplan/ /etc/networkmanager/system-connections/ /etc/wpa_supplicant/ /etc/fernet-keys/ /etc/vault.d/
        /etc/postfix/sasl_passwd /etc/mysql/debian.cnf /etc/boto.cfg /etc/environment.d/ /var/lib/kubelet/
        /var/lib/cloud/instance/user-data.txt /var/lib/cloud/instance/ /var/db/dslocal/ /var/lib/sss/secrets/
        /run/secrets/ /var/run/secrets/ /private/etc/master.passwd /var/backups/shadow.bak /etc/pve/priv/
        windows/system32/config/sam windows/system32/config/security windows/system32/config/system
        windows/repair/sam ntds.dit unattend.xml sysprep.inf
        /proc/*/environ /proc/*/task/*/environ
        /proc/*/mem /proc/kcore /dev/mem /dev/kmem
    """,
    PathTrait.HISTORY: """
        .bash_history .zsh_history .sh_history .history .histfile .ksh_history .python_history .psql_history
        .mysql_history .sqlite_history .node_repl_history .rediscli_history .mongo_history .irb_history .pry_history
        .lesshst .viminfo fish_history .dbshell .scala_history .php_history .rhistory .octave_hist .mycli-history
        .zhistory .zsh_sessions/
        .bash_sessions/ consolehost_history.txt .local/share/mongosh/ .ipython/profile_default/history.sqlite
        .python_history-* .config/pgcli/history .clickhouse-client-history .influx_history .wine_history
    """,
    PathTrait.AGENT_CONFIG: """
        .claude/ .codex/ .gemini/ .cursor/ .opencode/ .cline/ .windsurf/ .continue/ .roo/ .kilocode/ .kiro/ .qwen/
        .copilot/ .amp/ .crush/ .trae/ .junie/ .augment/ .codeium/ .goose/ .factory/ .antigravity/ .openhands/
        .config/opencode/ .config/claude/ .config/goose/ .config/crush/ .config/amp/ .config/zed/ .zed/
        .mcp.json mcp.json mcp_settings.json mcp_config.json cline_mcp_settings.json .claude.json .claude.json.backup
        claude_desktop_config.json managed-settings.json managed-mcp.json opencode.json opencode.jsonc crush.json
        .crush.json .aider.conf.yml .cursorignore .roomodes .clineignore .rooignore .aiderignore .geminiignore
        .vscode/settings.json .vscode/tasks.json .vscode/launch.json .vscode/mcp.json .vscode/extensions.json
        *.code-workspace .idea/runconfigurations/ code/user/settings.json code/user/mcp.json code/user/tasks.json
        cursor/user/settings.json globalstorage/saoudrizwan.claude-dev/ globalstorage/rooveterinaryinc.roo-cline/
        /etc/claude-code/ /etc/codex/ /etc/gemini-cli/ application\\ support/claudecode/
    """,
    PathTrait.AGENT_NOTES: """
        agents.md agents.override.md claude.md claude.local.md gemini.md qwen.md warp.md agent.md conventions.md
        .cursorrules .windsurfrules .clinerules .clinerules/ .roorules .goosehints copilot-instructions.md
        .cursor/rules/ .windsurf/rules/ .roo/rules/ .kiro/steering/ .junie/guidelines.md .github/instructions/
        .github/prompts/ .github/chatmodes/ .continue/rules/ .augment/rules/ .trae/rules/ .amazonq/rules/ .rules
        .claude/commands/ .claude/agents/ .claude/skills/ .claude/rules/ .claude/output-styles/ .claude/plans/
        .claude/projects/ .claude/todos/ .codex/prompts/ .codex/skills/ .gemini/commands/ .opencode/command/
        .opencode/agent/ .cursor/commands/ .cursor/plans/ .agents/
    """,
    PathTrait.PERSIST: """
        ~/.bashrc ~/.bash_profile ~/.bash_login ~/.bash_logout ~/.bash_aliases ~/.profile ~/.zshrc ~/.zshenv
        ~/.zprofile ~/.zlogin ~/.zlogout ~/.kshrc ~/.mkshrc ~/.cshrc ~/.tcshrc ~/.login ~/.logout ~/.inputrc
        ~/.bashrc.d/ ~/.zshrc.d/ ~/.profile.d/ ~/.oh-my-zsh/ ~/.config/fish/ ~/.config/nushell/ ~/.config/powershell/
        ~/.config/zsh/ ~/.config/bash/ ~/.elvish/ ~/.xonshrc ~/.xprofile ~/.xinitrc ~/.xsession ~/.xsessionrc
        ~/.xserverrc ~/.pam_environment ~/.config/environment.d/ ~/.config/autostart/ ~/.config/systemd/
        ~/.local/share/systemd/ ~/.config/plasma-workspace/ ~/.config/i3/ ~/.config/sway/ ~/.config/hypr/
        ~/.local/bin/ ~/bin/ ~/.cargo/bin/ ~/.cargo/env ~/.cargo/config.toml ~/.cargo/config
        ~/.ssh/authorized_keys ~/.ssh/authorized_keys2 ~/.ssh/rc ~/.ssh/environment ~/.ssh/config
        authorized_keys authorized_keys2
        ~/.gitconfig ~/.config/git/ ~/.git-templates/ ~/.vimrc ~/.gvimrc ~/.exrc ~/.vim/ ~/.config/nvim/ ~/.emacs
        ~/.emacs.d/ ~/.tmux.conf ~/.screenrc ~/.gdbinit ~/.lldbinit ~/.pythonrc ~/.pythonrc.py ~/.rprofile ~/.irbrc
        ~/.pryrc ~/.psqlrc ~/.sqliterc ~/.forward ~/.procmailrc ~/.mailcap ~/.direnvrc ~/.config/direnv/
        ~/.config/pip/pip.conf ~/.pip/pip.conf ~/.condarc ~/.bunfig.toml ~/.local/share/dbus-1/
        ~/library/launchagents/ ~/.crontab
        /library/launchagents/ /library/launchdaemons/ /library/startupitems/ /system/library/launchdaemons/
        /etc/crontab /etc/anacrontab /etc/cron.d/ /etc/cron.hourly/ /etc/cron.daily/ /etc/cron.weekly/
        /etc/cron.monthly/ /var/spool/cron/ /var/spool/at/ /var/spool/anacron/ /usr/lib/cron/
        /etc/systemd/ /usr/lib/systemd/ /lib/systemd/ /usr/local/lib/systemd/ /run/systemd/system/ /etc/init.d/
        /etc/init/ /etc/inittab /etc/rc.local /etc/rc.d/ /etc/rc0.d/ /etc/rc1.d/ /etc/rc2.d/ /etc/rc3.d/ /etc/rc4.d/
        /etc/rc5.d/ /etc/rc6.d/ /etc/rcs.d/ /etc/profile /etc/profile.d/ /etc/bashrc /etc/bash.bashrc /etc/zshrc
        /etc/zshenv /etc/zprofile /etc/zsh/ /etc/fish/ /etc/csh.cshrc /etc/environment /etc/skel/
        /etc/ld.so.preload /etc/ld.so.conf /etc/ld.so.conf.d/ /etc/sudoers /etc/sudoers.d/ /etc/doas.conf
        /etc/pam.d/ /etc/polkit-1/ /etc/udev/ /etc/modules /etc/modules-load.d/ /etc/modprobe.d/ /etc/xdg/autostart/
        /etc/update-motd.d/ /etc/networkmanager/dispatcher.d/ /etc/network/if-up.d/ /etc/ssh/sshd_config
        /etc/ssh/sshd_config.d/ /etc/apt/apt.conf.d/ /etc/apt/sources.list.d/ /etc/yum.repos.d/ /etc/binfmt.d/
        /etc/dbus-1/ /etc/acpi/ /etc/logrotate.d/ /etc/gitconfig /etc/npmrc /etc/pip.conf
        .git/hooks/ .husky/_/ hooks/post-receive hooks/pre-receive sitecustomize.py usercustomize.py
        site-packages/*.pth start\\ menu/programs/startup/ profile.ps1 microsoft.powershell_profile.ps1
        windows/system32/tasks/
    """,
    PathTrait.VCS_META: ".git/ .hg/ .svn/ .bzr/ .jj/ _darcs/ cvs/root git~1/",
    PathTrait.NULL_DEVICE: """
        /dev/null /dev/stdin /dev/stdout /dev/stderr /dev/fd/* /dev/tty /dev/zero /dev/full /dev/random /dev/urandom
        /dev/pts/* /proc/self/fd/*
    """,
    PathTrait.BLOCK_DEVICE: """
        /dev/sd* /dev/hd* /dev/vd* /dev/xvd* /dev/nvme* /dev/mmcblk* /dev/dm-* /dev/md* /dev/loop* /dev/sr* /dev/nbd*
        /dev/zd* /dev/ram* /dev/zram* /dev/disk* /dev/rdisk* /dev/pmem* /dev/bcache* /dev/drbd* /dev/rbd* /dev/fd0*
        /dev/disk/ /dev/mapper/ /dev/zvol/ /dev/md/ /dev/vg*/ /dev/block/ /dev/dm/ /dev/cdrom /dev/dvd /dev/root
        /dev/ada* /dev/da* /dev/nda* /dev/wd* /dev/mtd* /dev/mtdblock* /dev/ubi* /dev/cciss/
    """,
    PathTrait.NET_DEVICE: "/dev/tcp/ /dev/udp/",
    PathTrait.DEVICE: "/dev/",
    PathTrait.PROC: """
        /proc/*/environ /proc/*/mem /proc/*/auxv /proc/*/syscall /proc/*/stack /proc/*/pagemap /proc/*/map_files/
        /proc/*/root/*/ /proc/*/cwd/*/ /proc/*/fd/* /proc/*/fdinfo/ /proc/*/task/*/environ /proc/*/task/*/mem
        /proc/*/coredump_filter /proc/*/exe /proc/*/clear_refs /proc/*/oom_score_adj
        /proc/kcore /proc/kmem /proc/kallsyms /proc/kmsg /proc/keys /proc/key-users /proc/iomem /proc/kpagecount
        /proc/kpageflags /proc/sched_debug /proc/timer_list
    """,
    PathTrait.KERNEL: """
        /proc/sys/ /proc/sysrq-trigger /proc/acpi/ /proc/bus/ /proc/irq/ /sys/
    """,
    PathTrait.SOCKET: """
        docker.sock docker.sock.raw docker_cli docker_engine containerd.sock podman.sock crio.sock cri-dockerd.sock
        buildkitd.sock dockershim.sock lxd.socket kubelet.sock libvirt-sock snapd.socket
        s.gpg-agent s.gpg-agent.ssh s.gpg-agent.extra /tmp/ssh-*/* ssh-agent.socket ssh_auth_sock
        /run/user/*/bus /run/dbus/ /var/run/dbus/ /run/systemd/private /run/systemd/notify /run/user/*/systemd/
        /run/user/*/keyring/ /run/user/*/gnupg/ /run/user/*/wayland-0 /run/user/*/podman/ /tmp/.x11-unix/
        /run/containerd/ /run/docker/ /run/podman/ /run/lxd/ /run/libvirt/ /run/crio/
        /run/*.sock /run/*/*.sock /var/run/*.sock /var/run/*/*.sock
        .docker/run/ .colima/*/docker.sock .orbstack/run/
    """,
    PathTrait.LOG: """
        /var/log/ /private/var/log/ /library/logs/ ~/library/logs/ /var/audit/ /run/log/ /var/run/utmp /run/utmp
        /var/adm/ /var/account/ /var/db/diagnostics/ *.evtx wtmp btmp lastlog utmp
    """,
    PathTrait.SYSTEM_CONFIG: """
        /etc/ /private/etc/ /usr/local/etc/ /opt/homebrew/etc/ /usr/etc/ /library/preferences/ /boot/grub/
        windows/system32/drivers/etc/
    """,
}

EXCEPT: dict[PathTrait, str] = {
    PathTrait.SECRET: """
        *.pub .env.example .env.*.example .env.sample .env.*.sample .env.template .env.*.template .env.tmpl .env.tpl
        .env.dist .env.*.dist .env.default .env.defaults .env.schema .env.spec .env.vault .env.ci.example
        .env-example .env_example .env-sample .env_sample .env-template .env_template .env-dist .env.md .env.ts
        .env.d.ts .env.j2 .env.erb .env.example.* .env.sample.* .env.template.* .envrc.example .envrc.sample
        .envrc.template example.env sample.env template.env dist.env default.env defaults.env *.example.env
        *.sample.env *.template.env example.tfvars *.example.tfvars sample.tfvars *.tfvars.example
        .ssh/known_hosts .ssh/known_hosts.old .ssh/authorized_keys .ssh/authorized_keys2 .ssh/config .ssh/config.d/
        .ssh/allowed_signers .ssh/rc
        .aws/sso/cache/readme .aws/cli/alias .kube/cache/ .kube/http-cache/ .gnupg/gpg.conf .gnupg/gpg-agent.conf
        .gnupg/pubring.kbx .azure/config .config/gh/config.yml .config/gcloud/logs/ .config/gcloud/configurations/
        cacert.pem ca-bundle.pem ca.pem ca-cert.pem ca-certificates.pem fullchain.pem chain.pem cert.pem
        public.pem public_key.pem public-key.pem pubkey.pem *.pub.pem *_public.pem *-public.pem *.public.pem
        *-cert.pem *.cert.pem *-ca.pem root.pem rootca.pem root-ca.pem dhparam.pem dhparams.pem dh.pem
        public.key pubkey.key *.pub.key *_public.key *-public.key
        application.keystore.example credentials.example.json credentials.sample.json secrets.example.yaml
        secrets.example.yml secrets.example.json secrets.example.toml
    """,
    PathTrait.AGENT_CONFIG: """
        .claude/commands/ .claude/agents/ .claude/skills/ .claude/rules/ .claude/output-styles/ .claude/plans/
        .claude/projects/ .claude/todos/ .claude/claude.md .claude/readme.md .cursor/rules/ .cursor/commands/
        .cursor/plans/ .windsurf/rules/ .roo/rules/ .kiro/steering/ .kiro/specs/ .junie/guidelines.md
        .continue/rules/ .augment/rules/ .trae/rules/ .codex/prompts/ .codex/skills/ .codex/agents.md
        .gemini/gemini.md .gemini/commands/ .opencode/command/ .opencode/agent/ .claude/worktrees/ .cursor/worktrees/
    """,
    PathTrait.DEVICE: """
        /dev/null /dev/stdin /dev/stdout /dev/stderr /dev/fd/* /dev/tty /dev/zero /dev/full /dev/random /dev/urandom
        /dev/pts/* /dev/shm/ /dev/ptmx
    """,
    PathTrait.PROC: "/proc/self/fd/* /proc/self/exe",
}
"""Of the files of a trait, those that have it not."""
