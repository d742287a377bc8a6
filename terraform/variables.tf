variable "project_id" {
  description = "The project that pays. Everything is made in it, and `terraform destroy` takes all of it away."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project_id))
    error_message = "project_id: 6 to 30 small letters, digits and hyphens, as `gcloud projects list` shows it."
  }
}

variable "zone" {
  description = "A zone with L4 GPUs (`gcloud compute accelerator-types list --filter=name=nvidia-l4`). Its region follows from it."
  type        = string
  default     = "us-central1-a"

  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[0-9]+-[a-z]$", var.zone))
    error_message = "zone: a zone such as us-central1-a, not a region."
  }
}

variable "name" {
  description = "Name of the cluster, and the beginning of all other names."
  type        = string
  default     = "jittutor"

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{0,18}[a-z0-9]$", var.name))
    error_message = "name: 2 to 20 small letters, digits and hyphens, starting with a letter."
  }
}

variable "learners" {
  description = "How many people learn at the same time. The GPU nodes can grow up to what they need, and no further."
  type        = number
  default     = 1

  validation {
    condition     = var.learners >= 1 && var.learners <= 1000 && floor(var.learners) == var.learners
    error_message = "learners: a whole number from 1 to 1000."
  }
}

variable "learners_per_gpu" {
  description = "How many learners share one L4 in turns (time-sharing). 1: each has one alone."
  type        = number
  default     = 1

  validation {
    condition     = var.learners_per_gpu >= 1 && floor(var.learners_per_gpu) == var.learners_per_gpu
    error_message = "learners_per_gpu: a whole number, at least 1."
  }

  validation {
    condition     = var.learners_per_gpu <= var.learners
    error_message = "learners_per_gpu is larger than learners: nobody would use the other shares. Make it at most the number of learners."
  }

  validation {
    condition     = var.learners_per_gpu <= 16
    error_message = "learners_per_gpu: more than 16 would have less than 3 % of an L4's memory each (deploy/classroom.py)."
  }
}

variable "machine_type" {
  description = "Machine of a GPU node; its name says how many L4s it has. Learners compile on its CPU: that is what limits a class first."
  type        = string
  default     = "g2-standard-4"

  validation {
    condition     = contains(keys(local.g2), var.machine_type)
    error_message = "machine_type: one of ${join(", ", sort(keys(local.g2)))}."
  }

  validation {
    condition     = try(var.learners_per_gpu * local.g2[var.machine_type].gpus <= local.room[var.machine_type].cpu, true)
    error_message = "machine_type ${var.machine_type} has CPUs for ${try(local.room[var.machine_type].cpu, 0)} learners, each asks for ${local.learner.cpu}: take a larger machine, or fewer learners_per_gpu."
  }

  validation {
    condition     = try(var.learners_per_gpu * local.g2[var.machine_type].gpus <= local.room[var.machine_type].memory, true)
    error_message = "machine_type ${var.machine_type} has memory for ${try(local.room[var.machine_type].memory, 0)} learners, each asks for ${local.learner.memory} GiB: take a larger machine, or fewer learners_per_gpu."
  }

  # Each node takes 256 of the Pods' addresses; one is the system's, one may come in an upgrade.
  validation {
    condition     = try(ceil(var.learners / (var.learners_per_gpu * local.g2[var.machine_type].gpus)) <= local.most_nodes, true)
    error_message = "machine_type ${var.machine_type}: ${var.learners} learners would need ${try(ceil(var.learners / (var.learners_per_gpu * local.g2[var.machine_type].gpus)), 0)} of it, and the network has addresses for ${local.most_nodes}: take one with more GPUs, or more learners_per_gpu."
  }
}

variable "spot" {
  description = "Cheaper nodes that may be taken away with 30 seconds' notice: good for one learner at leisure, wrong for a class on a date."
  type        = bool
  default     = false

  validation {
    condition     = !var.spot || var.reservation == null
    error_message = "spot and reservation exclude each other: a reservation is for nodes that nobody takes away."
  }
}

variable "reservation" {
  description = "Name of a reservation of machines of this type in this zone: the sure way to have GPUs on the day. null: none."
  type        = string
  default     = null
}

variable "max_node_hours" {
  description = "A GPU node ends itself after so many hours, whatever was forgotten. 0: never."
  type        = number
  default     = 12

  validation {
    condition     = var.max_node_hours >= 0 && var.max_node_hours <= 168
    error_message = "max_node_hours: from 0 (never) to 168 (a week)."
  }
}

variable "learner_members" {
  description = "Who may reach the cluster, such as group:class@example.com. What they may do in it, the Roles of deploy/ say."
  type        = set(string)
  default     = []

  validation {
    condition     = alltrue([for member in var.learner_members : can(regex("^(user|group|domain):[^:@ ]+(@[^:@ ]+)?$", member))])
    error_message = "learner_members: each is user:…, group:… or domain:…, never allUsers."
  }
}

variable "system_machine_type" {
  description = "Machine of the one node that carries the cluster's own Pods."
  type        = string
  default     = "e2-standard-2"
}

variable "release_channel" {
  description = "How fast GKE upgrades the cluster."
  type        = string
  default     = "REGULAR"

  validation {
    condition     = contains(["RAPID", "REGULAR", "STABLE", "EXTENDED"], var.release_channel)
    error_message = "release_channel: RAPID, REGULAR, STABLE or EXTENDED."
  }
}

variable "driver_version" {
  description = "NVIDIA driver that GKE installs. Changing it makes the GPU nodes anew. Wheels for CUDA 13 need LATEST on some versions."
  type        = string
  default     = "DEFAULT"

  validation {
    condition     = contains(["DEFAULT", "LATEST"], var.driver_version)
    error_message = "driver_version: DEFAULT or LATEST."
  }
}
