"""Exim as Debian configures it, with the ready files; pbm's answers leave through it, too."""
from mta import Mta

PACKAGES = ["exim4-daemon-light"]
CONF = (
    "dc_eximconfig_configtype='internet'\ndc_other_hostnames='games.example.org'\n"
    "dc_local_interfaces='127.0.0.1'\ndc_readhost=''\ndc_relay_domains=''\ndc_minimaldns='false'\ndc_relay_nets=''\n"
    "dc_smarthost=''\nCFILEMODE='644'\ndc_use_split_config='true'\ndc_hide_mailname=''\ndc_mailname_in_oh='true'\n"
    "dc_localdelivery='maildir_home'\n")


def place(root, transport):
    root.write("/etc/exim4/conf.d/router/150_pbm", root.ready("exim/router").replace("transport = pbm_maildir", "transport = " + transport))
    root.write("/etc/exim4/conf.d/transport/40_pbm", root.ready("exim/transport"))
    root.write("/etc/exim4/conf.d/main/000_localmacros", root.ready("exim/macros"))
    root.write("/etc/exim4/pbm_check_data", root.ready("exim/acl"))
    root.run("update-exim4.conf")


def run(root, t):
    root.write("/etc/mailname", "games.example.org\n")
    root.write("/etc/exim4/update-exim4.conf.conf", CONF)
    m = Mta(root, t, "exim", authserv_id="games.example.org")
    for way, transport in (("Maildir", "pbm_maildir"), ("pipe", "pbm_pipe")):
        place(root, transport)
        server = root.start("exim4 -bdf -q1s")
        root.wait_for_port(25)
        m.talk(way, way == "Maildir", True)
        server.terminate()
        server.wait()
