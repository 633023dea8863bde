#!/bin/sh
# Certificates for test servers on localhost, made in DIR: ca.pem, and with .pem
# and .key: good, wronghost, expired (all signed by ca), self.
#   tests/util/certs.sh DIR
set -eu
mkdir -p "$1"
cd "$1"
key="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
# shellcheck disable=SC2086 # several words
openssl req -x509 $key -keyout ca.key -out ca.pem -days 30 -subj "/CN=test authority" \
	-addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign 2>/dev/null
# signed NAME HOST ALTERNATIVES DAYS
signed() {
	# shellcheck disable=SC2086
	openssl req $key -keyout "$1.key" -out "$1.csr" -subj "/CN=$2" 2>/dev/null
	printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n' "$3" >"$1.ext"
	openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days "$4" \
		-extfile "$1.ext" -out "$1.pem" 2>/dev/null
}
signed good localhost DNS:localhost,IP:127.0.0.1 30
signed wronghost mail.example.net DNS:mail.example.net 30
signed expired localhost DNS:localhost -1
# shellcheck disable=SC2086
openssl req -x509 $key -keyout self.key -out self.pem -days 30 -subj /CN=localhost \
	-addext subjectAltName=DNS:localhost 2>/dev/null
