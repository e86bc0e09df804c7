"""Imported by the process that workers are forked from: what is loaded here, they all have."""

from mmsat.web.worker import warm_up

warm_up()
