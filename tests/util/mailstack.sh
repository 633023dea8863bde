#!/bin/bash
# Exim and Dovecot for tests: on the loopback, with folders of their own, beside
# whatever else the machine runs.
#   P=20000 tests/util/mailstack.sh start DIR [exim|dovecot]    both, or one of the two
#   tests/util/mailstack.sh stop DIR [exim|dovecot]             at once, as a crash would
# Exits with 77 and a reason where it can't run.
# Ports are P plus 143 imap, 993 imaps, 110 pop3, 995 pop3s, 24 lmtp, 25 smtp and
# 465 smtps.  TLS is a must everywhere (STARTTLS on 143, 110 and 25 before a login).
# DIR/certs is as tests/util/certs.sh makes it.  Everybody's password is the name and "pw".
#   game alice bob carol   mailboxes, also as name+anything@localhost; so are
#   dora emil fritz greta hugo ida
#   tardy      deferred by Exim (451) until the file DIR/open exists, then a mailbox
#   ghost      taken by Exim and then bounced: nobody below has such a mailbox
#   pipe       each mail goes to the program DIR/pipe, if there is one; it runs as
#              Exim's user, whose DIR/exim/spool is
#   others     refused at once (550)
# Exim signs what it delivers with DKIM (d=localhost, s=test) while DIR/dkim.key exists.
# Environment of start:
#   CERT=good|wronghost|expired|self   what both servers show
#   CAPS="IMAP4rev1 UIDPLUS"           all that Dovecot admits to (no MOVE here)
#   SEPARATOR=. PREFIX=INBOX.          how folders are named
set -eu
usage() {
	echo "usage: P=PORT $0 start|stop DIR [exim|dovecot]" >&2
	exit 64
}
skip() {
	echo "skipped: mail servers: $1" >&2
	exit 77
}
[ $# -ge 2 ] || usage
mkdir -p "$2"
D=$(cd "$2" && pwd)
which=${3-exim dovecot}
PATH=$PATH:/usr/sbin

# has_members GROUP: of those that have ended, but nobody has waited for, none counts
has_members() {
	for stat in /proc/[0-9]*/stat; do
		read -r line 2>/dev/null <"$stat" || continue
		read -r state _ group _ <<<"${line##*) }"
		[ "$group" = "$1" ] && [ "$state" != Z ] && return 0
	done
	return 1
}

# stop_one PIDFILE NAME: the whole process group, if it is still the server it was
stop_one() {
	[ -s "$1" ] || return 0
	pid=$(cat "$1")
	case $(cat "/proc/$pid/comm" 2>/dev/null) in
	"$2"*) kill -9 -- "-$pid" 2>/dev/null || kill -9 "$pid" 2>/dev/null || : ;;
	esac
	# Its sockets are free when the last of the group has gone, not before.
	for i in $(seq 6000); do
		has_members "$pid" || break
		sleep 0.02
	done
	rm -f "$1"
}

pid_of() {
	case $1 in
	exim) echo "$D/exim/daemon.pid" ;;
	dovecot) echo "$D/dovecot/run/master.pid" ;;
	esac
}

dovecot_conf() {
	cat <<-C
	protocols = imap pop3 lmtp
	instance_name = ${D##*/}
	listen = 127.0.0.1
	hostname = localhost
	base_dir = $D/dovecot/run
	state_dir = $D/dovecot/state
	log_path = $D/dovecot/log
	info_log_path = $D/dovecot/info
	default_internal_user = $inner
	default_internal_group = $(id -gn "$inner")
	default_login_user = $login
	mail_location = maildir:$D/dovecot/mail/%u
	first_valid_uid = 1
	first_valid_gid = 1
	mail_max_userip_connections = 100
	disable_plaintext_auth = yes
	auth_mechanisms = plain login
	auth_failure_delay = 0
	ssl = required
	ssl_cert = <$D/certs/$cert.pem
	ssl_key = <$D/certs/$cert.key
	recipient_delimiter = +
	${CAPS:+imap_capability = $CAPS}
	passdb {
	  driver = passwd-file
	  args = scheme=PLAIN username_format=%u $D/passwords
	}
	userdb {
	  driver = passwd-file
	  args = username_format=%u $D/passwords
	  override_fields = uid=$owner gid=$(id -gn "$owner") home=$D/dovecot/mail/%u
	}
	namespace inbox {
	  inbox = yes
	  separator = ${SEPARATOR-/}
	  prefix = ${PREFIX-}
	}
	service imap-login {
	  chroot =
	  inet_listener imap {
	    port = $((P + 143))
	  }
	  inet_listener imaps {
	    port = $((P + 993))
	    ssl = yes
	  }
	}
	service pop3-login {
	  chroot =
	  inet_listener pop3 {
	    port = $((P + 110))
	  }
	  inet_listener pop3s {
	    port = $((P + 995))
	    ssl = yes
	  }
	}
	service lmtp {
	  inet_listener lmtp {
	    port = $((P + 24))
	  }
	}
	service anvil {
	  chroot =
	  # Nobody waits longer because somebody has used a wrong password.
	  unix_listener anvil-auth-penalty {
	    mode = 0
	  }
	}
	service stats {
	  chroot =
	}
	protocol lmtp {
	  auth_username_format = %n
	}
	C
}

exim_conf() {
	cat <<-C
	primary_hostname = localhost
	spool_directory = $D/exim/spool
	log_file_path = $D/exim/log/%s
	pid_file_path = $D/exim/daemon.pid
	exim_user = $mta
	exim_group = $(id -gn "$mta")
	never_users =
	deliver_drop_privilege = true
	local_interfaces = 127.0.0.1
	daemon_smtp_ports = $((P + 25)) : $((P + 465))
	tls_on_connect_ports = $((P + 465))
	tls_advertise_hosts = *
	tls_certificate = $D/certs/$cert.pem
	tls_privatekey = $D/exim/tls.key
	auth_advertise_hosts = \${if eq{\$tls_in_cipher}{}{}{*}}
	dsn_advertise_hosts = *
	message_size_limit = 1M
	smtp_accept_max = 200
	smtp_accept_max_per_connection = 0
	smtp_accept_queue_per_connection = 0
	queue_only_load = 100
	host_lookup =
	rfc1413_query_timeout = 0s
	keep_environment =
	acl_smtp_rcpt = rcpt
	acl_smtp_data = accept
	begin acl
	rcpt:
	  defer local_parts = tardy
	        condition = \${if exists{$D/open}{no}{yes}}
	        message = 4.2.1 the mailbox is closed for now
	  accept verify = recipient
	  deny message = 5.1.1 nobody of that name here
	begin routers
	pipe:
	  driver = accept
	  domains = localhost
	  local_parts = pipe
	  local_part_suffix = +*
	  local_part_suffix_optional
	  condition = \${if exists{$D/pipe}}
	  transport = pipe
	people:
	  driver = accept
	  domains = localhost
	  local_parts = game : alice : bob : carol : dora : emil : fritz : greta : hugo : ida : tardy : ghost
	  local_part_suffix = +*
	  local_part_suffix_optional
	  transport = lmtp
	begin transports
	lmtp:
	  driver = smtp
	  protocol = lmtp
	  hosts = 127.0.0.1
	  hosts_override
	  port = $((P + 24))
	  allow_localhost
	  hosts_avoid_tls = *
	  rcpt_include_affixes = true
	  dkim_domain = \${if exists{$D/dkim.key}{localhost}}
	  dkim_selector = test
	  dkim_private_key = $D/dkim.key
	  return_path_add
	  delivery_date_add
	pipe:
	  driver = pipe
	  command = $D/pipe
	  user = $mta
	  home_directory = $D
	  return_path_add
	  delivery_date_add
	  envelope_to_add
	  return_fail_output
	begin retry
	* * F,1h,1s
	begin authenticators
	PLAIN:
	  driver = plaintext
	  public_name = PLAIN
	  server_prompts = :
	  server_condition = \${if eq{\$auth3}{\${lookup{\$auth2}lsearch{$D/logins}{\$value}fail}}}
	  server_set_id = \$auth2
	C
}

# launch NAME COMMAND…: no descriptor of ours may stay open in a server
launch() {
	to=$D/$1/start
	shift
	"$@" </dev/null >"$to" 2>&1 || {
		cat "$to" >&2
		exit 1
	}
}

# free PORT…: another test may have come first
free() {
	for port in "$@"; do
		! (exec 3<>"/dev/tcp/127.0.0.1/$((P + port))") 2>/dev/null || {
			echo "port $((P + port)) is taken" >&2
			exit 1
		}
	done
}

start_one() {
	case $1 in
	dovecot) free 143 993 110 995 24 ;;
	exim) free 25 465 ;;
	esac
	case $1 in
	dovecot)
		dovecot_conf >"$D/dovecot/dovecot.conf"
		launch "$1" dovecot -c "$D/dovecot/dovecot.conf"
		set -- "$1" 993 ;;
	exim)
		rm -f "$D/exim/exim.conf"
		exim_conf >"$D/exim/exim.conf"
		chmod 644 "$D/exim/exim.conf"
		cp "$D/certs/$cert.key" "$D/exim/tls.key"
		[ "$mta" = "$(id -un)" ] || chown "$mta" "$D/exim/tls.key"
		launch "$1" exim4 -C "$D/exim/exim.conf" -bd -q1s
		set -- "$1" 465 ;;
	esac
	for i in $(seq 6000); do
		[ -s "$(pid_of "$1")" ] && (exec 3<>"/dev/tcp/127.0.0.1/$((P + $2))") 2>/dev/null && return 0
		sleep 0.02
	done
	echo "$1 does not listen on port $((P + $2)); its logs are in $D/$1" >&2
	exit 1
}

case $1 in
stop)
	for server in $which; do
		stop_one "$(pid_of "$server")" "$server"
	done
	exit 0 ;;
start) ;;
*) usage ;;
esac

P=${P:?the first port}
for p in dovecot exim4 openssl; do
	command -v "$p" >/dev/null || skip "there is no $p"
done
cert=${CERT-good}
chmod 755 "$D"
mkdir -p "$D/dovecot/run" "$D/dovecot/state" "$D/dovecot/mail" "$D/exim/spool" "$D/exim/log"
[ -s "$D/certs/self.pem" ] || "$(dirname "$0")/certs.sh" "$D/certs"
if [ "$(id -u)" = 0 ]; then
	owner=mail inner=dovecot login=dovenull mta=Debian-exim
	chown mail:mail "$D/dovecot/mail"
	chown -R Debian-exim:Debian-exim "$D/exim/spool" "$D/exim/log"
	chown Debian-exim "$D/exim"
else
	owner=$(id -un) inner=$owner login=$owner mta=$owner
fi
if [ ! -s "$D/logins" ]; then
	for name in game alice bob carol dora emil fritz greta hugo ida tardy; do
		echo "$name:{PLAIN}${name}pw::::::" >>"$D/passwords"
		echo "$name: ${name}pw" >>"$D/logins"
	done
fi
for server in $which; do
	start_one "$server"
done
